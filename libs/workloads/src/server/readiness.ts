import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { getErrorMessage } from '../errors/workload-error.ts';
import type { ServerAddress } from '../runtime/workload-server.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { isResponse } from './response.ts';

/** The result of one probe: the server speaks MCP, or the reason why it does not (yet). */
type ProbeResult = { readonly ready: true } | { readonly ready: false; readonly reason: string };

const PROBE_ID = 'gatehouse-init-check';
/** Maximum duration of the first probe. A later one may take all of the remaining time. */
const FIRST_PROBE_MS = 10_000;
/** Maximum duration of the request that ends the session of the probe. */
const END_SESSION_MS = 1_000;

/**
 * Returns the pause before the next probe in milliseconds: a fiftieth of the time so far, so that a
 * fast server does not wait for a probe, and a slow one gets few.
 */
const computePause = (elapsedMs: number): number => Math.min(Math.max(elapsedMs / 50, 10), 50);

/** Maximum number of characters that are read of a response. */
export const MAX_RESPONSE_LENGTH = 256 * 1024;

/** The message of a probe. */
export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: PROBE_ID,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'gatehouse', version: '1' } },
});

/**
 * Whether a text contains a response to the probe. A server that supports only other revisions
 * answers with an error.
 */
export const isProbeResponse = (text: string): boolean => text.split(/\r?\n/).some(isResponse);

interface HttpResponse {
  readonly status: number;
  readonly session: string | undefined;
  readonly text: string;
}

/** Sends one request on a new connection. Reads until the text answers the probe. */
function exchange(
  target: ServerAddress,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
  longestMs: number,
  abort: AbortSignal,
  isAnswer = isProbeResponse,
) {
  return new Promise<HttpResponse>((resolve, reject) => {
    const call = request(
      {
        host: target.host,
        port: target.port,
        path,
        method,
        agent: false,
        signal: AbortSignal.any([abort, AbortSignal.timeout(longestMs)]),
        headers: {
          host: `localhost:${target.port}`,
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        let text = '';
        const session = response.headers['mcp-session-id'];
        const finish = () => {
          resolve({
            status: response.statusCode ?? 0,
            session: typeof session === 'string' ? session : undefined,
            text,
          });
          call.destroy();
        };
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > MAX_RESPONSE_LENGTH || (/\r\r|\n\r?\n/.test(text) && isAnswer(text))) finish();
        });
        response.on('end', finish);
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

async function probeHttpServer(target: ServerAddress, longestMs: number, abort: AbortSignal): Promise<ProbeResult> {
  const accept = { accept: 'application/json, text/event-stream' };
  const { status, session, text } = await exchange(
    target,
    'POST',
    '/mcp',
    { 'content-type': 'application/json', ...accept },
    INITIALIZE,
    longestMs,
    abort,
  );
  if (status !== 401 && status !== 403 && !isProbeResponse(text)) {
    return { ready: false, reason: `it answers POST /mcp with HTTP ${status} and no MCP message` };
  }
  if (session !== undefined) {
    // Ends the session of the probe. Servers may refuse that, and nothing waits for it.
    const headers = { 'mcp-session-id': session, ...accept };
    void exchange(target, 'DELETE', '/mcp', headers, undefined, END_SESSION_MS, abort).catch(() => undefined);
  }
  return { ready: true };
}

/** Whether a text contains the event `endpoint` of an SSE server. */
export const isEndpoint = (text: string): boolean => /^event: ?endpoint\r?$/m.test(text);

/** Opens a stream of an SSE server, which begins with the event `endpoint`, and leaves it. */
async function probeSseServer(target: ServerAddress, longestMs: number, abort: AbortSignal): Promise<ProbeResult> {
  const accept = { accept: 'text/event-stream' };
  const { status, text } = await exchange(target, 'GET', '/sse', accept, undefined, longestMs, abort, isEndpoint);
  if (status === 401 || status === 403 || isEndpoint(text)) return { ready: true };
  return { ready: false, reason: `it answers GET /sse with HTTP ${status} and no endpoint of MCP` };
}

/**
 * Sends `initialize` to a streamable HTTP server, or opens the stream of an SSE server, until it
 * answers.
 * @param serverPort the port in the container, which the user knows
 * @throws Error with the last reason after the timeout, or the abort reason.
 */
export async function waitForHttpServer(
  target: ServerAddress,
  timeoutMs: number,
  abort: AbortSignal,
  { serverPort = target.port, transport }: { serverPort?: number | undefined; transport: RunConfig['transport'] },
): Promise<void> {
  const probe = transport === 'sse' ? probeSseServer : probeHttpServer;
  const began = performance.now();
  const deadline = began + timeoutMs;
  let longest = FIRST_PROBE_MS;
  let reason: string;
  for (;;) {
    abort.throwIfAborted();
    try {
      const response = await probe(
        target,
        Math.max(1, Math.ceil(Math.min(longest, deadline - performance.now()))),
        abort,
      );
      if (response.ready) return;
      reason = response.reason;
    } catch (error) {
      abort.throwIfAborted();
      const isSilent = error instanceof Error && error.name === 'AbortError';
      reason = isSilent
        ? `port ${serverPort} accepts the request and does not answer it`
        : `port ${serverPort} does not answer (${getErrorMessage(error)})`;
      // A server that did not answer the first probe may need more time to start.
      if (isSilent) longest = timeoutMs;
    }
    const pause = computePause(performance.now() - began);
    if (performance.now() + pause > deadline) throw new Error(reason);
    await sleep(pause, undefined, { signal: abort });
  }
}

/**
 * Sends `initialize` to a stdio server and waits for its response. Clients cannot use the process
 * afterwards, because they send their own `initialize`.
 * @throws Error with the reason when no response arrives in time.
 */
export async function probeStdioServer(
  process: { readonly input: Writable; readonly output: Readable },
  timeoutMs: number,
  abort: AbortSignal,
): Promise<void> {
  abort.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    let text = '';
    const settle = (error?: Error) => {
      clearTimeout(timer);
      abort.removeEventListener('abort', onAbort);
      process.output.off('data', onData).off('end', onEnd).off('error', settle);
      if (error) reject(error);
      else resolve();
    };
    const onData = (part: Buffer) => {
      text += part.toString('utf8');
      const lines = text.split('\n');
      text = (lines.pop() ?? '').slice(0, MAX_RESPONSE_LENGTH);
      if (lines.some((line) => line.includes(PROBE_ID) && isProbeResponse(line))) settle();
    };
    const onEnd = () => settle(new Error('it ended without a response to initialize'));
    const onAbort = () => settle(abort.reason as Error);
    const timer = setTimeout(
      () => settle(new Error('it does not answer initialize on its standard output')),
      timeoutMs,
    );
    abort.addEventListener('abort', onAbort);
    process.output.on('data', onData).on('end', onEnd).on('error', settle);
    process.input.on('error', () => undefined);
    process.input.write(`${INITIALIZE}\n`);
  });
}
