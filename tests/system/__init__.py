"""The short forms of the campaigns."""
