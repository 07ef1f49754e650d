"""The log: one contract for all stores, and what each store alone can get wrong."""
