"""The pages for phones, table screen and staff. `web.app.create_app` makes them; importing this loads nothing."""
