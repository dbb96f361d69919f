"""The pages for phones, table screen and staff. Not built yet."""
