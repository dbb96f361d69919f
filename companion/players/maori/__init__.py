"""What the bots know of Māori."""
