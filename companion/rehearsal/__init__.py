"""Simulated people at a simulated table: an evening acted out, to see what the real table makes of it."""
