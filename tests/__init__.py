"""The tests: rules of the games, the contract over all games, and the house itself."""
