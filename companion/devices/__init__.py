"""Serial, MQTT and GPIO links to readers, buttons and lamps, with their simulated twins. Not built yet."""
