"""The house: brings tables, sensors, photographs and pages together. May import every other room."""
