import { createPost } from '../mcp-connection.mjs';
import { QUERIES } from './searchable-tools.mjs';

const MODERN = '2026-07-28';
const TEXT = 'hi';

/** Returns the measured JSON-RPC messages, which take turns: kind `call`, `list` or `search`. */
export function createMessages(kind, target) {
  if (kind !== 'search') return [createMessage(kind, target)];
  return QUERIES.map((query) => ({
    id: 1,
    method: 'tools/call',
    params: { name: 'find_tool', arguments: { query } },
  }));
}

/** Returns one JSON-RPC message: kind `call` or `list`. */
export function createMessage(kind, { tool }) {
  if (kind === 'list') return { id: 1, method: 'tools/list', params: {} };
  return { id: 1, method: 'tools/call', params: { name: tool, arguments: { message: TEXT } } };
}

/** Returns the bytes of a request of the revision 2026-07-28, which has no sessions. */
export function createModernRequest(place, { params, ...message }) {
  const headers =
    `${place.headers}MCP-Protocol-Version: ${MODERN}\r\nMcp-Method: ${message.method}\r\n` +
    (params.name === undefined ? '' : `Mcp-Name: ${params.name}\r\n`);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'driver', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return createPost({ ...place, headers }, { ...message, params: { ...params, _meta } });
}

/**
 * Whether the body of a response is the right one. A list must have the expected number of tools,
 * from the expected address of the upstreams.
 */
export function isExpected(kind, { tools, address }, body) {
  if (kind === 'call') return body.includes(`Echo: ${TEXT}`);
  if (kind === 'search') return body.includes('"structuredContent":{"tools":[{"name"');
  if (kind === 'initialize') return body.includes('"serverInfo"');
  return countOccurrences(body, '"inputSchema"') === tools && countOccurrences(body, `${address},`) === tools;
}

function countOccurrences(text, part) {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
