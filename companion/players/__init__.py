"""Bots and the coach: whoever plays through legal actions and a view alone."""
