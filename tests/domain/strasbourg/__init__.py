"""Strasbourg, rule by rule."""
