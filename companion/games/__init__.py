"""The games: pure rules, one package each, all answering the questions of `protocol.Game`."""
