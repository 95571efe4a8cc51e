import { request } from 'node:http';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const META = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

const modernHeaders = (method, name) => ({
  'mcp-protocol-version': MODERN,
  'mcp-method': method,
  ...(name && { 'mcp-name': name }),
});

/** Returns the text of a JSON-RPC request. `params` is JSON text without braces. */
const message = (method, params) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}}}`;

const createCall = (name, args) => message('tools/call', `"name":"${name}","arguments":${args},"_meta":${META}`);

const initialize = (capabilities, version = `"${LEGACY}"`) =>
  message(
    'initialize',
    `"protocolVersion":${version},"capabilities":${capabilities},"clientInfo":{"name":"bench","version":"1"}`,
  );

/** Kinds of client messages: each returns body and headers with a hostile text in the body. */
export const clientRequests = {
  'call of a known tool': ({ text, tool }) => ({
    body: createCall(tool, `{"x":${text}}`),
    headers: modernHeaders('tools/call', tool),
  }),
  'call of an unknown tool': ({ text, slug }) => ({
    body: createCall(`${slug}__unknown`, `{"x":${text}}`),
    headers: modernHeaders('tools/call', `${slug}__unknown`),
  }),
  'call of a tool of an unknown connector': ({ text }) => ({
    body: createCall('unknown__unknown', `{"x":${text}}`),
    headers: modernHeaders('tools/call', 'unknown__unknown'),
  }),
  'call with hostile arguments': ({ text, tool }) => ({
    body: createCall(tool, text),
    headers: modernHeaders('tools/call', tool),
  }),
  'call in a session': ({ text, tool, session }) => ({
    body: message('tools/call', `"name":"${tool}","arguments":{"x":${text}}`),
    headers: { 'mcp-session-id': session },
  }),
  initialize: ({ text }) => ({ body: initialize(`{"experimental":{"x":{"y":${text}}}}`), headers: {} }),
  'initialize without a version': ({ text }) => ({ body: initialize(`{"x":${text}}`, 'null'), headers: {} }),
  'a text that is no message': ({ text }) => ({ body: text, headers: {} }),
  'an incomplete object': ({ text }) => ({ body: `{"x":${text}`, headers: {} }),
};

/**
 * Posts one message as alice.
 * @returns status and headers of the response, which may precede the end of the body; status 0 when
 * the connection ends before the response
 */
export function post({ mcp, tokens }, body, headers) {
  return new Promise((resolve) => {
    let answered;
    const sent = request(
      mcp,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${tokens.alice}`,
          'content-length': body.length,
          ...headers,
        },
      },
      (response) => {
        answered = { status: response.statusCode, headers: response.headers };
        response.resume();
        response.once('close', () => resolve(answered));
      },
    );
    sent.once('error', () => answered ?? resolve({ status: 0, headers: {} }));
    sent.end(body);
  });
}

/** Starts a session. @returns its id */
export async function startSession(scene) {
  const { status, headers } = await post(scene, initialize('{}'), {});
  const id = headers['mcp-session-id'];
  if (id === undefined) throw new Error(`initialize answered ${status}`);
  return id;
}

/** Lists the tools of all connectors, or of one. */
export const listTools = (scene, slug) =>
  modern(scene, slug ? `/${slug}` : '', 'tools/list', message('tools/list', `"_meta":${META}`));

/** Calls a tool without arguments. */
export const callTool = (scene, name) => modern(scene, '', 'tools/call', createCall(name, '{}'), name);

const modern = ({ mcp, tokens }, path, method, body, name) =>
  fetch(`${mcp}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${tokens.alice}`,
      ...modernHeaders(method, name),
    },
    body,
  });
