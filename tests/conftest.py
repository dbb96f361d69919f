"""Hypothesis profiles. `make test ARGS="--hypothesis-profile thorough"` looks harder than every run should."""

from hypothesis import settings

# No deadline: a Raspberry Pi is slow, and a slow example is not a wrong one.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile("steady")
