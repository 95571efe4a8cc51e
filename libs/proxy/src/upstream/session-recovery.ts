/**
 * Opens a session again after an HTTP server has lost it, usually because it was restarted. The
 * client keeps its id and goes on.
 */
import { EVENT_STREAM, EventStreamDecoder } from '@gatehouse/mcp/event-stream';
import { Header } from '@gatehouse/mcp/headers';
import { type JsonObject, readMessage } from '@gatehouse/mcp/json-rpc';
import type { Dispatcher } from 'undici';
import { request } from 'undici';
import type { UpstreamDispatcher } from '../pipeline/dispatcher.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { ProxyLogLine } from '../pipeline/options.ts';
import { listAnnouncements } from '../list-changes.ts';
import type { HttpSession } from '../pipeline/http-session.ts';
import { listSettings } from './session-settings.ts';
import type { Target } from './target.ts';

/** An unknown session has 404. Some servers answer 400, which has other causes too. */
const LOST_STATUSES: ReadonlySet<number> = new Set([400, 404]);
/** Pause between recoveries of a session, so that refused requests do not cost several others. */
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 1024 * 1024;
/** Headers of a request that describe its message or its place in the session. */
const MESSAGE_HEADERS =
  /^(?:mcp-(?:session-id|protocol-version|method|name|param-.*)|last-event-id|content-length|accept|content-type)$/;

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const PING = '{"jsonrpc":"2.0","id":"gatehouse-session-check","method":"ping"}';

/** Recovers the sessions of one server. */
export class SessionRecovery {
  constructor(
    private readonly dispatcher: UpstreamDispatcher,
    private readonly target: Target,
    private readonly log: (line: ProxyLogLine) => void,
  ) {}

  /** Whether the status of an answer can mean that the session is lost, and a recovery may help. */
  canRecover({ httpSession: session, upstreamHeaders, method, target }: Exchange, status: number): boolean {
    if (session?.opening === undefined || !LOST_STATUSES.has(status)) return false;
    if (method === 'DELETE' || target !== session.opening.target) return false;
    return (
      session.recovering !== undefined ||
      getHeader(upstreamHeaders, Header.sessionId) !== session.upstreamId ||
      performance.now() - session.recoveredAt >= PAUSE_MS
    );
  }

  /**
   * Opens the session again, once for all its requests, and writes its new id into the headers of
   * the request. A failure is logged; the server then refuses the request again.
   */
  async recover(exchange: Exchange, status: number): Promise<void> {
    const { httpSession: session, upstreamHeaders: headers } = exchange;
    if (session === undefined) return;
    if (getHeader(headers, Header.sessionId) === session.upstreamId) {
      session.recovering ??= this.open(session, exchange, status).finally(() => (session.recovering = undefined));
      await session.recovering;
    }
    setHeader(headers, Header.sessionId, session.upstreamId);
    // The ids of the events belong to the lost session.
    if (session.upstreamId !== session.id) setHeader(headers, 'last-event-id', undefined);
  }

  private async open(session: HttpSession, exchange: Exchange, status: number): Promise<void> {
    session.recoveredAt = performance.now();
    try {
      if (status !== 404 && (await this.isAlive(session, exchange))) return;
      const answer = await this.post(exchange, session.opening?.body ?? '');
      const id = answer.headers[Header.sessionId];
      const result = await readResult(answer);
      if (typeof id !== 'string' || result === undefined)
        throw new Error(`the server answered ${answer.statusCode} to initialize, without a session`);
      const version = String(result['protocolVersion']);
      for (const body of [INITIALIZED, ...listSettings(session)])
        await discard(await this.post(exchange, body, id, version));
      session.upstreamId = id;
      session.announcements = listAnnouncements(result);
      this.log({ level: 'info', message: 'The server has lost a session. The proxy has initialized it again.' });
    } catch (cause) {
      this.log({ level: 'warn', message: 'The server has lost a session, and it cannot be initialized again.', cause });
    }
  }

  private async isAlive(session: HttpSession, exchange: Exchange): Promise<boolean> {
    const answer = await this.post(exchange, PING, session.upstreamId);
    await discard(answer);
    return answer.statusCode < 300;
  }

  /** Sends a message with the headers of the exchange, which has the credentials of the caller. */
  private post(exchange: Exchange, body: Buffer | string, sessionId?: string, version?: string): Promise<Answer> {
    const headers: string[] = ['content-type', 'application/json', 'accept', `application/json, ${EVENT_STREAM}`];
    for (let at = 0; at < exchange.upstreamHeaders.length; at += 2) {
      const name = exchange.upstreamHeaders[at] ?? '';
      if (!MESSAGE_HEADERS.test(name)) headers.push(name, exchange.upstreamHeaders[at + 1] ?? '');
    }
    if (sessionId !== undefined) headers.push(Header.sessionId, sessionId);
    if (version !== undefined) headers.push(Header.protocolVersion, version);
    return request(this.target.origin + (exchange.upstreamPath ?? this.target.getPath(exchange.target)), {
      method: 'POST',
      headers,
      body,
      dispatcher: this.dispatcher as Dispatcher,
      // For the whole answer: a server could send bytes for ever, and no result.
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}

type Answer = Dispatcher.ResponseData;

async function discard({ body, headers }: Answer): Promise<void> {
  // A stream may stay open, and is not needed.
  if (isEventStream(headers)) body.destroy();
  else await body.dump({ limit: MAX_BODY_BYTES });
}

const isEventStream = (headers: Answer['headers']): boolean => String(headers['content-type']).startsWith(EVENT_STREAM);

/** Reads the result of `initialize`, from a JSON body or from an event. */
async function readResult(answer: Answer): Promise<JsonObject | undefined> {
  const { statusCode, headers, body } = answer;
  if (statusCode >= 300 || headers[Header.sessionId] === undefined) {
    await discard(answer);
    return undefined;
  }
  const isStream = isEventStream(headers);
  const decoder = new EventStreamDecoder();
  let text = '';
  let length = 0;
  // Leaving the loop ends the body.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    if (!isStream) {
      text += chunk.toString('latin1');
      continue;
    }
    for (const { data } of decoder.push(chunk)) {
      const result = getResult(data);
      if (result !== undefined) return result;
    }
  }
  return getResult(Buffer.from(text, 'latin1').toString('utf8'));
}

function getResult(text: string): JsonObject | undefined {
  const read = readMessage(text);
  return read.kind === 'response' && 'result' in read.message ? read.message.result : undefined;
}

function getHeader(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** @param value undefined removes the header */
function setHeader(headers: string[], name: string, value: string | undefined): void {
  for (let at = headers.length - 2; at >= 0; at -= 2)
    if (headers[at] === name) headers.splice(at, 2, ...(value === undefined ? [] : [name, value]));
}
