"""Augmentation that suits capsule frames, a batch at once on the device."""
