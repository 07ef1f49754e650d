"""The host against a faulty store, from one seed: no process, no socket, no clock but one that a seed drives."""
