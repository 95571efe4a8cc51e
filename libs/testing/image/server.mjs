// An MCP server for tests of both protocol eras. server.json contains its name and its tools.
// Usage: node server.mjs stdio | streamableHttp (port: variable PORT, default 8080; path /mcp)
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { z } from 'zod';

const settings = JSON.parse(readFileSync(new URL('server.json', import.meta.url), 'utf8'));

function makeServer() {
  const server = new McpServer({ name: settings.serverName, version: '1.0.0' });
  server.registerTool(
    settings.echoTool,
    { description: 'Repeats a text.', inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text: `${settings.prefix}${text}` }] }),
  );
  for (const name of settings.otherTools) {
    server.registerTool(name, { description: `Answers with its name, ${name}.` }, () => ({
      content: [{ type: 'text', text: name }],
    }));
  }
  return server;
}

if (process.argv[2] === 'streamableHttp') {
  const handle = toNodeHandler(createMcpHandler(makeServer));
  const server = createServer((request, response) => {
    if (new URL(request.url, 'http://localhost').pathname === '/mcp') return handle(request, response);
    response.writeHead(404).end();
  });
  server.listen(Number(process.env.PORT ?? 8080));
  process.once('SIGTERM', () => process.exit(0));
} else {
  serveStdio(makeServer);
}
