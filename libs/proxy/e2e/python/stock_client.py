"""Uses a server with the official Python client: python stock_client.py URL TOOL ARGUMENTS"""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, tool: str, arguments: str) -> None:
    connect = sse_client if url.endswith("/sse") else streamable_http_client
    async with connect(url) as (read, write, *_):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = [tool.name for tool in (await session.list_tools()).tools]
            result = await session.call_tool(tool, json.loads(arguments))
            print(json.dumps({"tools": tools, "text": result.content[0].text}))


asyncio.run(main(*sys.argv[1:]))
