"""What the bots and the coach know of Maka Bana."""
