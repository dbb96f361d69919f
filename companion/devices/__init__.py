"""Serial, MQTT and GPIO links to readers, buttons and lamps, with their simulated twins. README.md explains them."""
