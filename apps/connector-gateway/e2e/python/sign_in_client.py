"""Signs in at an MCP server with the official Python client, and calls tools.

The arguments are the address of the server, and the redirect URI of the client. Nothing else is
known. Each line of the output is a JSON object: `open` is an address for the browser, after which
the redirect to the client is read from the input; `tools` are the names of the tools; `result` and
`failure` answer a call. Each line of the input is a call of a tool, or `advance`, by which the clock
of this program is set forward, in seconds. The end of the input ends the program.
"""

import asyncio
import json
import sys
import time
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

system_time = time.time
ahead = 0


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


def report(**event):
    print(json.dumps(event), flush=True)


async def read_line():
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


async def open_browser(url):
    report(open=url)


async def read_redirect():
    query = {name: values[0] for name, values in parse_qs(urlparse(await read_line()).query).items()}
    return AuthorizationCodeResult(code=query["code"], state=query["state"], iss=query.get("iss"))


async def call(client, name, arguments):
    try:
        result = await client.call_tool(name, arguments)
        text = "".join(content.text for content in result.content if content.type == "text")
        report(result=text, is_error=bool(result.is_error))
    except Exception as error:
        report(failure=repr(error))


async def main(url, redirect_uri):
    global ahead
    metadata = OAuthClientMetadata(client_name="Python client", redirect_uris=[redirect_uri])
    auth = OAuthClientProvider(url, metadata, Memory(), open_browser, read_redirect)
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tools = (await client.list_tools()).tools
            report(tools=[tool.name for tool in tools])
            while line := await read_line():
                command = json.loads(line)
                if "advance" in command:
                    ahead += command["advance"]
                else:
                    await call(client, command["call"], command["arguments"])


time.time = lambda: system_time() + ahead
asyncio.run(main(*sys.argv[1:]))
