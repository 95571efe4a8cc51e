/**
 * Writes an event for each exchange: who called what, and how it ended. It is outside of
 * authentication, so that refused requests are seen. A stream that a GET opens is written at its
 * start. Each message of a batch has an event of its own.
 */
import { randomUUID } from 'node:crypto';
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import type { ReadMessage, RpcMessage } from '@gatehouse/mcp/json-rpc';
import { readBatch } from '@gatehouse/mcp/json-rpc';
import { formatEvent, getEventType } from '../audit/audit-event.ts';
import type { AuditOptions } from '../audit/audit-options.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { KnownClients } from '../pipeline/known-clients.ts';
import type { Pass } from '../pipeline/passes.ts';

const MAX_DATA_SIZE = 1_024;
/** The messages of a batch that have an event. */
const MAX_BATCH = 1_000;

/** The end of the names `error` and `isError`, and the start of an escape in them. */
const [ERROR_END, ESCAPE] = [Buffer.from('rror"'), Buffer.from('\\u')];

/** Creates the pass. @param trustProxyHeaders whether X-Forwarded-For names the caller */
export function createAuditPass(options: AuditOptions, trustProxyHeaders: boolean): Pass {
  const clients = new KnownClients();
  const only = options.eventTypes?.length ? new Set(options.eventTypes) : undefined;
  const excluded = new Set(options.excludeEventTypes ?? []);
  const maxDataSize = options.maxDataSize || MAX_DATA_SIZE;
  const detectErrors = options.detectApplicationErrors ?? true;

  const write = (exchange: Exchange, startedAt: number, opensStream: boolean, response: RpcMessage | undefined) => {
    const { headers } = exchange.request;
    const client = clients.find(exchange);
    for (const message of listMessages(exchange)) {
      const type = getEventType({ message, opensStream });
      if (excluded.has(type) || only?.has(type) === false) continue;
      const line = formatEvent({
        id: randomUUID(),
        at: new Date(),
        durationMs: performance.now() - startedAt,
        component: options.component,
        address: getAddress(exchange, trustProxyHeaders),
        userAgent: headers['user-agent'],
        requestId: toText(headers['x-request-id']),
        subject: exchange.subject,
        user: getUserName(exchange),
        client,
        httpMethod: exchange.method,
        path: exchange.path,
        opensStream,
        status: exchange.response.headersSent ? exchange.response.statusCode : 0,
        interruption: exchange.interruption,
        message,
        response,
        detectErrors,
        request:
          message?.kind === 'invalid' ? undefined : keep(options.includeRequestData, message?.message, maxDataSize),
        result: keep(options.includeResponseData, response, maxDataSize),
      });
      options.write(`${line}\n`);
    }
  };

  return {
    name: 'audit',
    enter(exchange) {
      const startedAt = performance.now();
      if (exchange.method === 'GET' && exchange.request.headers.accept?.includes(EVENT_STREAM) === true) {
        exchange.onHead(() => write(exchange, startedAt, true, undefined));
        return 'next';
      }
      let response: RpcMessage | undefined;
      if (exchange.method === 'POST') {
        exchange.observeAnswer({
          // The response is the last message of its stream; others have a method.
          observe: (answer) => {
            if (!('method' in answer)) response = answer;
          },
          ...(options.includeResponseData !== true && { needs: mayHaveError }),
        });
      }
      exchange.onEnd(() => write(exchange, startedAt, false, response));
      return 'next';
    },
  };
}

/** Whether a response can have a member `error` or `isError`; its event has no other one. */
const mayHaveError = (body: Buffer): boolean => body.includes(ERROR_END) || body.includes(ESCAPE);

/** Lists the messages of a request: one, those of a batch, or the one that could not be read. */
function listMessages({ message, body }: Exchange): readonly (ReadMessage | undefined)[] {
  const batch = message?.kind === 'invalid' && body !== undefined ? readBatch(body.toString('utf8'), MAX_BATCH) : [];
  return batch.length > 0 ? batch : [message];
}

/** The name of the caller for people, as readers of audit logs expect it. */
const getUserName = ({ claims, subject }: Exchange): string =>
  toText(claims?.['name']) || toText(claims?.['preferred_username']) || toText(claims?.['email']) || subject;

/** The trusted proxy has added the last address. A client can send the addresses before it. */
function getAddress({ request }: Exchange, trustProxyHeaders: boolean): string {
  const forwarded = trustProxyHeaders
    ? toText(request.headers['x-forwarded-for'])?.split(',').at(-1)?.trim()
    : undefined;
  return forwarded || request.socket.remoteAddress || 'unknown';
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** @returns the data for the event; undefined where the event does not include them */
function keep(isIncluded: boolean | undefined, data: unknown, maxBytes: number): unknown {
  if (isIncluded !== true || data === undefined) return undefined;
  return Buffer.byteLength(JSON.stringify(data)) <= maxBytes ? data : undefined;
}
