"""Everything that touches the world: the log, the hosts, the edges and the command line."""
