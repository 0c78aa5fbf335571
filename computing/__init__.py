"""Work on documents: a table of jobs, and the one way to run them, here or in a process that can be killed."""
