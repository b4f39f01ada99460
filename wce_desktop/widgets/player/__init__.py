"""The player: shows the frames of a study and moves through them."""
