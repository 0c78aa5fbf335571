"""Runs the command line as `python -m codrive_client`."""

from codrive_client.command import main

main(prog_name="codrive")
