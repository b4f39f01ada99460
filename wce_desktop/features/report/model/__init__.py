"""What a report holds and how it is made, without Qt."""
