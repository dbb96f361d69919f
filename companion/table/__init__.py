"""The table: seats, observations, belief against expectation, log and views. Not built yet."""
