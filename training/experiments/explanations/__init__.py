"""How well explanations point at what a person boxed: figures, and a report."""
