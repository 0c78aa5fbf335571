"""What is fetched for a client's document, and what never is: over TLS, from a server of the test's own."""

import asyncio
import ssl
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from web.client_documents import MAX_BODY, ClientDocuments, is_public

HOST = "app.example.com"
JSON = "content-type: application/json"


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """A certificate for the one name, its key, and the trust in it."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = tmp_path_factory.mktemp("certified") / "both.pem"
    file.write_bytes(pem + secret)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(file)
    return serving, ssl.create_default_context(cadata=pem.decode())


class Site:
    """Answers each request with the same bytes, and counts them."""

    def __init__(self, answer):
        self.answer, self.asked = answer, []

    async def serve(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head.decode())
        if self.answer is not None:
            writer.write(self.answer)
            await writer.drain()
            writer.close()
        else:
            await reader.read()
            writer.close()


def answer(body=b'{"client_id": "x"}', status="200 OK", *headers, kind=JSON):
    lines = [f"HTTP/1.1 {status}", kind, f"content-length: {len(body)}", "connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@asynccontextmanager
async def at(certified, reply):
    serving, trusted = certified
    site = Site(reply)
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=serving)
    port = server.sockets[0].getsockname()[1]

    async def resolve(_host, _port):
        return ["127.0.0.1"]

    yield site, f"https://{HOST}:{port}/client.json", {"resolve": resolve, "trusted": trusted}
    server.close()


def anywhere(_address):
    return True


async def test_a_short_json_document_is_fetched_from_the_address_that_was_looked_at(certified):
    async with at(certified, answer()) as (site, url, wired):
        assert await ClientDocuments(public=anywhere, **wired).fetch(url) == b'{"client_id": "x"}'
        (asked,) = site.asked
        assert asked.startswith("GET /client.json HTTP/1.1\r\n")
        assert f"host: {url.split('/')[2]}" in asked.lower()
        assert "cookie" not in asked.lower()


@pytest.mark.parametrize(
    "reply",
    [
        answer(status="404 Not Found"),
        answer(b"", "302 Found", "location: https://app.example.com/other.json"),
        answer(b"{}", "301 Moved Permanently", "location: http://169.254.169.254/latest/meta-data"),
        answer(kind="content-type: text/html"),
        answer(kind="x-nothing: said"),
        answer(b"{" + b" " * MAX_BODY + b"}"),
        b"HTTP/1.1 200 OK\r\n" + JSON.encode() + b"\r\n\r\n" + b" " * 1_000_000,
        b"HTTP/1.1 200 OK\r\n" + JSON.encode() + b"\r\ncontent-length: 100\r\n\r\n{}",
        b"nonsense\r\n\r\n",
        b"",
    ],
)
async def test_whatever_else_is_there_is_not_taken_and_no_redirect_is_followed(certified, reply):
    async with at(certified, reply) as (site, url, wired):
        assert await ClientDocuments(public=anywhere, **wired).fetch(url) is None
        assert len(site.asked) == 1


async def test_an_address_that_does_not_answer_is_given_up(certified):
    async with at(certified, None) as (_, url, wired):
        assert await ClientDocuments(public=anywhere, patience=0.5, **wired).fetch(url) is None


async def test_a_server_that_cannot_prove_its_name_is_not_listened_to(certified):
    async with at(certified, answer()) as (site, url, wired):
        other = url.replace(HOST, "other.example.com")
        assert await ClientDocuments(public=anywhere, **wired).fetch(other) is None
        assert await ClientDocuments(public=anywhere, **wired | {"trusted": None}).fetch(url) is None
        assert site.asked == []


async def test_nothing_is_asked_of_an_address_inside(certified):
    async with at(certified, answer()) as (site, url, wired):
        assert await ClientDocuments(**wired).fetch(url) is None
        assert site.asked == []


@pytest.mark.parametrize("found", [[], ["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::1", "93.184.216.34"]])
async def test_one_address_inside_is_enough_to_refuse_a_name(certified, found):
    async with at(certified, answer()) as (site, url, wired):

        async def resolve(_host, _port):
            return found

        assert await ClientDocuments(**wired | {"resolve": resolve}).fetch(url) is None
        assert site.asked == []


@pytest.mark.parametrize("url", ["http://app.example.com/a", "https://", "https://app.example.com:99999/a", "", "a\0b"])
async def test_what_is_no_https_address_is_not_fetched(url):
    async def resolve(_host, _port):
        return ["127.0.0.1"]

    assert await ClientDocuments(public=anywhere, resolve=resolve).fetch(url) is None


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700:4700::1111", "8.8.8.8"])
def test_addresses_of_the_internet_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.8.8.8",
        "169.254.169.254",
        "172.16.0.1",
        "192.168.1.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fe80::1%eth0",
        "ff02::1",
        "2001:db8::1",
        "localhost",
        "",
        "0x7f000001",
        "2130706433",
    ],
)
def test_addresses_inside_or_in_disguise_are_not(address):
    assert not is_public(address)
