"""Which libraries and folders there are."""
