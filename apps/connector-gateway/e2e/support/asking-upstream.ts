import type { ServerResponse } from 'node:http';
import { type Message, reply, scripted, type ScriptedServer, stream } from './scripted.ts';

/** A running call at the upstream. */
export interface RunningCall {
  /** Sends a message on the stream of the call. */
  send: (message: object) => boolean;
  /** Sends a log message. */
  log(text: string): void;
  /** Sends a question to the client. */
  ask(id: string): void;
  /** Sends the result. */
  finish(text: string): void;
}

/** A server with sessions whose calls the test drives. */
export interface AskingUpstream {
  server: ScriptedServer;
  /** All calls, oldest first. */
  calls: RunningCall[];
  /** The answers of clients, oldest first. */
  answers: { id?: unknown; result?: Record<string, unknown>; error?: unknown }[];
  /** The cancelled requests. */
  cancelled: Message[];
}

/** Starts an upstream with the tool `only`. */
export async function startAskingUpstream(): Promise<AskingUpstream> {
  const calls: RunningCall[] = [];
  const answers: AskingUpstream['answers'] = [];
  const cancelled: Message[] = [];
  let sessions = 0;
  const server = await scripted({
    initialize: ({ id }, response) => {
      response.setHeader('mcp-session-id', `s${(sessions += 1)}`);
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'asking', version: '1' },
      };
      reply(response, { id, result });
    },
    'tools/call': ({ id }, response) => {
      calls.push(createRunningCall(id, response));
      response.flushHeaders();
    },
    answer: (message, response) => {
      answers.push(message);
      response.writeHead(202).end();
    },
    'notifications/cancelled': (message, response) => {
      cancelled.push(message);
      response.writeHead(202).end();
    },
  });
  return { server, calls, answers, cancelled };
}

function createRunningCall(id: unknown, response: ServerResponse): RunningCall {
  const send = stream(response);
  return {
    send,
    log: (data) => void send({ method: 'notifications/message', params: { level: 'info', data } }),
    ask: (question) =>
      void send({
        id: question,
        method: 'elicitation/create',
        params: {
          message: 'Your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        },
      }),
    finish: (text) => {
      send({ id, result: { content: [{ type: 'text', text }] } });
      response.end();
    },
  };
}
