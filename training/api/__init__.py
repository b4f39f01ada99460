"""The public interface, re-exported by `training`: arguments are checked here, and the work is done below."""
