"""What the bots know of Kahuna."""
