"""The window of patient records and the dialogs that belong to it."""
