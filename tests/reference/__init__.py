"""A second, independent reading of the Maka Bana rules, for tests only. See README.md in this folder."""
