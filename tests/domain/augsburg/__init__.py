"""The rules of Augsburg 1520, chapter by chapter."""
