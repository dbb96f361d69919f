"""The Maka Bana companion: rules, table, devices and players around one physical board."""

# The one place where the version is written; pyproject.toml reads it from here.
__version__ = "0.1.0.dev0"
