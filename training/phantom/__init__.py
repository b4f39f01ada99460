"""Synthetic capsule studies with ground truth: for the demo, for tests, and for measuring methods.

Nothing here loads cv2 until something is rendered.
"""
