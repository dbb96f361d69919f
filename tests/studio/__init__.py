"""Path-traced photographs of printed boards: a second examiner for the board reader. See README.md."""
