"""What the bots know of Maki-San."""
