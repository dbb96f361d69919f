"""How the pages show each game: one module per game, listed in `web/shows.py`."""
