"""Small videos of many kinds, in which every frame carries its number, and what each reader makes of them."""
