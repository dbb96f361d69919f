"""Where a board lies in a picture: its camera's lens and its pose in three dimensions. Begin with `find.locate`."""
