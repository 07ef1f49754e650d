"""The rules of Die Fugger, each stated by a test."""
