"""What the rules of each game state."""
