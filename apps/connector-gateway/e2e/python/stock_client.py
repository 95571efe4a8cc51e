"""Observes endpoints with the official Python client.

Reads a JSON list of {url, token, prefix, mode} from standard input and prints a list of what the
client receives from each. A failure is its message.
"""

import asyncio
import json
import sys

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def attempt(operation):
    try:
        return await operation
    except Exception as error:  # noqa: BLE001 - a failure is an observation
        return f"failed: {error}"


async def observe(endpoint):
    prefix, mode = endpoint["prefix"], endpoint["mode"]
    logs, progress = [], []

    async def on_log(params):
        logs.append(params.data)

    async def on_progress(value, total, message):
        progress.append(value)

    async def on_question(context, params):
        return types.ElicitResult(action="accept", content={"username": "ann", "email": "ann@example.com"})

    headers = {"authorization": f"Bearer {endpoint['token']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        transport = streamable_http_client(endpoint["url"], http_client=http)
        callbacks = {"logging_callback": on_log, "elicitation_callback": on_question}
        level = {} if mode == "legacy" else {"log_level": "debug"}
        async with Client(transport, mode=mode, **callbacks, **level) as client:

            async def call(name, arguments=None, **more):
                result = await client.call_tool(f"{prefix}{name}", arguments or {}, **more)
                return result.content[0].text

            async def list_tools():
                tools = (await client.list_tools()).tools
                return sorted(tool.name.removeprefix(prefix) for tool in tools)

            async def read_progress():
                await call("test_tool_with_progress", progress_callback=on_progress)
                return progress

            async def read_logs():
                if mode == "legacy":
                    await client.set_logging_level("debug")
                await call("test_tool_with_logging")
                return logs

            return {
                "list": await attempt(list_tools()),
                "call": await attempt(call("test_simple_text")),
                "progress": await attempt(read_progress()),
                "logging": await attempt(read_logs()),
                "elicitation": await attempt(call("test_elicitation", {"message": "Who are you?"})),
            }


async def main():
    endpoints = json.load(sys.stdin)
    print(json.dumps(await asyncio.gather(*(observe(endpoint) for endpoint in endpoints))))


asyncio.run(main())
