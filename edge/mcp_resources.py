"""The two MCP addresses, each an OAuth resource of its own (RFC 8707, RFC 9728): a token is good at one of them."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from edge.credentials import AccessPoint

ORIGIN_METADATA: Final = "/.well-known/oauth-protected-resource"


@dataclass(frozen=True, slots=True)
class McpResource:
    """`writes`: its tools write the text of documents."""

    point: AccessPoint
    path: str
    name: str
    writes: bool

    @property
    def metadata_path(self) -> str:
        """The path of its metadata: its own path after the well-known one (RFC 9728, section 3.1)."""
        return f"{ORIGIN_METADATA}{self.path}"

    def at(self, origin: str) -> str:
        """Return its address, which is its identifier and the audience of its tokens."""
        return f"{origin}{self.path}"

    def challenge(self, origin: str, scope: str) -> bytes:
        """Return the `WWW-Authenticate` of its 401."""
        return f'Bearer resource_metadata="{origin}{self.metadata_path}", scope="{scope}"'.encode()


MCP: Final = McpResource(AccessPoint.MCP, "/api/v1/mcp", "Codrive", writes=False)
MCP_FULL: Final = McpResource(AccessPoint.MCP_FULL, "/api/v1/mcp-full", "Codrive, with writing", writes=True)
MCP_RESOURCES: Final = (MCP, MCP_FULL)
"""The first is the one of tokens that are asked for without `resource`."""


def resource_at(address: str) -> McpResource | None:
    """Return the resource of an address; None where it is none of ours any more."""
    return next((each for each in MCP_RESOURCES if urlsplit(address).path == each.path), None)
