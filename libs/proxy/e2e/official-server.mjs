// A server made with the official library. It serves the era of the first message.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new McpServer({ name: 'official', version: '2' }, { capabilities: { tools: {} } });
  server.registerTool('echo', { description: 'Says hi.' }, () => ({ content: [{ type: 'text', text: 'hi' }] }));
  return server;
});
