"""Signs in at an MCP server with the official Python client and lists its tools.

The argument is the address of the server, and nothing else is known. Prints the authorization
request, reads the redirect to the client from standard input, and prints the names of the tools as
JSON.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

REDIRECT_URI = "http://127.0.0.1:7999/callback"


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def open_browser(url):
    print(url, flush=True)


async def read_redirect():
    redirect = await asyncio.to_thread(sys.stdin.readline)
    query = {name: values[0] for name, values in parse_qs(urlparse(redirect.strip()).query).items()}
    return AuthorizationCodeResult(code=query["code"], state=query["state"], iss=query.get("iss"))


async def main(url):
    metadata = OAuthClientMetadata(client_name="Python client", redirect_uris=[REDIRECT_URI])
    auth = OAuthClientProvider(url, metadata, Memory(), open_browser, read_redirect)
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tools = (await client.list_tools()).tools
            print(json.dumps([tool.name for tool in tools]), flush=True)


asyncio.run(main(sys.argv[1]))
