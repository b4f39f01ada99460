"""What explanations are good for: boxes made from them as weak labels, and figures that say how well they point."""
