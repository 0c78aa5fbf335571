"""What people see in a browser (arrives with its own issue)."""
