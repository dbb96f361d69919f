"""One file per area of the site, each with its blueprint."""
