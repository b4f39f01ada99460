"""What every reader and writer of files shares: checks of inputs and outputs before anything is opened."""
