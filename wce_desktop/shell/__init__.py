"""The program around the features: main window, menus, messages, settings, command line."""
