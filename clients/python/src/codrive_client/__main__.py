"""`python -m codrive` is the command line."""

from codrive_client.command import main

main(prog_name="codrive")
