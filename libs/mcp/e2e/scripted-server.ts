import type { ServerResponse } from 'node:http';
import { answerJson, createResult, openStream, type ReceivedRequest, ScriptedHttp } from './scripted-http.ts';

/** Answers a request after the handshake. */
type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** The answers of a scripted MCP server. Without an answer, GET gets 405 and DELETE 200. */
export interface McpScript {
  /** Default `legacy`: `server/discover` gets 404. */
  era?: 'legacy' | 'modern';
  sessionId?: string;
  post?: Answer;
  get?: Answer;
  /** Notifications and responses of the client; default 202. */
  message?: Answer;
}

const SERVER_INFO = { name: 'scripted', version: '1' };

/** Starts an MCP server whose answers a test scripts. */
export function startScripted({ era = 'legacy', sessionId, post, get, message }: McpScript): Promise<ScriptedHttp> {
  const session = sessionId === undefined ? {} : { 'mcp-session-id': sessionId };
  return new ScriptedHttp((request, response) => {
    const { method, id } = request.body ?? {};
    if (request.method === 'GET') (get ?? refuse(405))(request, response);
    else if (request.method === 'DELETE') response.writeHead(200).end();
    else if (method === 'server/discover') {
      if (era === 'legacy') response.writeHead(404).end();
      else answerJson(response, createResult(id, DISCOVERED));
    } else if (method === 'initialize') answerJson(response, createResult(id, INITIALIZED), 200, session);
    else if (id === undefined || method === undefined) (message ?? refuse(202))(request, response);
    else (post ?? refuse(500))(request, response);
  }).listen();
}

const DISCOVERED = {
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
};
const INITIALIZED = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: SERVER_INFO };

/** Answers with a status and no body. */
export const refuse =
  (status: number): Answer =>
  (_request, response) =>
    void response.writeHead(status).end();

/** Answers with one event stream. */
export const stream =
  (write: (response: ServerResponse, id: number, request: ReceivedRequest) => void): Answer =>
  (request, response) =>
    write(openStream(response), request.body?.id as number, request);
