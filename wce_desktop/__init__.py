"""The desktop application with which capsule endoscopy studies are read."""
