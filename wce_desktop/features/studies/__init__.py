"""The studies of the library: opening, adding and scoring them."""
