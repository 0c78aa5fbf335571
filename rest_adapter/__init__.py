"""REST as a generic interpreter of the contract's rows: it knows HTTP and rows, nothing else."""
