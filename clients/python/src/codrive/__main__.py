"""`python -m codrive` is the command line."""

from codrive.command import main

main(prog_name="codrive")
