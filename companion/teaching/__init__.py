"""Teaching: lessons that are data, advice to one seat, and the story of a finished game."""
