import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { getPrompt, listPrompts } from './prompts.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { Plane } from './plane.ts';
import { listResources, listResourceTemplates, readResource } from './resources.ts';
import { callTool, listTools } from './tools.ts';

/** The gateway's identity towards clients. */
const IDENTITY = { name: 'gatehouse', title: 'Gatehouse', version: '0.1.0' };

/**
 * Creates the gateway's MCP server: one per request in the era without sessions, one per session
 * before. The endpoint passes the user with each request.
 */
export function createGatewayServer(plane: Plane, scope: EndpointScope): Server {
  const server = new Server(IDENTITY, {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      logging: {},
    },
    requestState: { verify: (state, context) => plane.state.verify(state, context) },
  });
  const handleWithScope = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => rethrowForClient(plane, error));
  server.setRequestHandler('tools/list', (_, context) => handleWithScope(listTools(plane, scope, context)));
  server.setRequestHandler('tools/call', ({ params }, context) =>
    handleWithScope(callTool(plane, scope, server, params, context)),
  );
  server.setRequestHandler('prompts/list', (_, context) => handleWithScope(listPrompts(plane, scope, context)));
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    handleWithScope(getPrompt(plane, scope, server, params, context)),
  );
  server.setRequestHandler('resources/list', (_, context) => handleWithScope(listResources(plane, scope, context)));
  server.setRequestHandler('resources/templates/list', (_, context) =>
    handleWithScope(listResourceTemplates(plane, scope, context)),
  );
  server.setRequestHandler('resources/read', ({ params }, context) =>
    handleWithScope(readResource(plane, scope, server, params.uri, context)),
  );
  return server;
}

/**
 * Passes protocol errors to the client. Every other error becomes an internal error without
 * details.
 */
function rethrowForClient(plane: Plane, error: unknown): never {
  if (error instanceof ProtocolError) throw error;
  plane.log.error({ err: error }, 'a request failed');
  throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal error');
}
