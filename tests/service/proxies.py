"""Proxies with the configurations of `docs/production.md`."""

import re
from pathlib import Path

from tests.support.processes.debian import installed

PAGE = Path(__file__).parents[2] / "docs" / "production.md"


def documented(language):
    """Return the page's configuration of a proxy."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return found


def replaced(text, *pairs):
    """Replace what differs here, each of which the page has."""
    for before, after in pairs:
        assert before in text, before
        text = text.replace(before, after)
    return text


def haproxy(folder, port, *servers):
    """Return the command of HAProxy with the page's configuration, without TLS; each server that the page has is one of these."""
    addresses = [each.origin.removeprefix("http://") for each in servers]
    site = replaced(
        documented("haproxy"),
        ("bind :443 ssl crt /etc/haproxy/drive.example.com.pem", f"bind 127.0.0.1:{port}"),
        ("10.0.0.11:8000", addresses[0]),
        ("10.0.0.12:8000", addresses[-1]),
    )
    written = folder / "haproxy.cfg"
    written.write_text(site)
    return [installed("haproxy", "haproxy"), "-db", "-f", str(written)], {}
