import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from './failure.ts';

/** Where a server in a container is dialled. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** What one question to a server came to: it speaks MCP, or why that is not so (yet). */
type Answer = { readonly ready: true } | { readonly ready: false; readonly why: string };

const PROBE_ID = 'gatehouse-init-check';
/**
 * The longest that the first question may wait for its answer; the next one waits for all of the
 * time that is left.
 */
const FIRST_QUESTION_MS = 10_000;
/** The longest that the end of the probe's session is waited for. */
const GOODBYE_MS = 1_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;
/** More of an answer than this is not read. */
const LONGEST_ANSWER = 256 * 1024;

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: PROBE_ID,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'gatehouse', version: '1' } },
});

/**
 * Whether a text holds an answer to the probe: a result, or an error (a server that only speaks
 * another revision answers that).
 */
function answersProbe(text: string): boolean {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^data:/, '').trim())
    .some((line) => {
      if (!line.startsWith('{')) return false;
      try {
        const message = JSON.parse(line) as { jsonrpc?: unknown; result?: unknown; error?: unknown };
        return message.jsonrpc === '2.0' && (message.result !== undefined || message.error !== undefined);
      } catch {
        return false;
      }
    });
}

interface HttpAnswer {
  readonly status: number;
  readonly session: string | undefined;
  readonly text: string;
}

/** One HTTP exchange on a fresh connection; reading stops as soon as the text answers the probe. */
function exchange(
  target: Target,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
  longestMs: number,
  abort: AbortSignal,
) {
  return new Promise<HttpAnswer>((resolve, reject) => {
    const call = request(
      {
        host: target.host,
        port: target.port,
        path: '/mcp',
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
        const done = () => {
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
          if (text.length > LONGEST_ANSWER || (/\n\r?\n/.test(text) && answersProbe(text))) done();
        });
        response.on('end', done);
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

async function askOverHttp(target: Target, longestMs: number, abort: AbortSignal): Promise<Answer> {
  const accept = { accept: 'application/json, text/event-stream' };
  const { status, session, text } = await exchange(
    target,
    'POST',
    { 'content-type': 'application/json', ...accept },
    INITIALIZE,
    longestMs,
    abort,
  );
  if (status !== 401 && status !== 403 && !answersProbe(text)) {
    return { ready: false, why: `it answers POST /mcp with HTTP ${status} and no MCP message` };
  }
  if (session !== undefined) {
    // The probe's session is ended again; a server that does not offer that is fine.
    const headers = { 'mcp-session-id': session, ...accept };
    await exchange(target, 'DELETE', headers, undefined, GOODBYE_MS, abort).catch(() => undefined);
  }
  return { ready: true };
}

/**
 * Asks a streamable HTTP server for `initialize` until it answers.
 * @param target where it is dialled
 * @throws Error with the last reason when the time is over; the abort reason when aborted.
 */
export async function waitForHttpServer(target: Target, timeoutMs: number, abort: AbortSignal): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let longest = FIRST_QUESTION_MS;
  let pause = FIRST_PAUSE_MS;
  let why: string;
  for (;;) {
    abort.throwIfAborted();
    try {
      const answer = await askOverHttp(
        target,
        Math.max(1, Math.ceil(Math.min(longest, deadline - performance.now()))),
        abort,
      );
      if (answer.ready) return;
      why = answer.why;
    } catch (error) {
      abort.throwIfAborted();
      const silent = error instanceof Error && error.name === 'AbortError';
      why = silent
        ? `port ${target.port} takes the question and does not answer it`
        : `port ${target.port} does not answer (${messageOf(error)})`;
      // A server that is slow at its first answer is slow because it works on it.
      if (silent) longest = timeoutMs;
    }
    if (performance.now() + pause > deadline) throw new Error(why);
    await sleep(pause, undefined, { signal: abort });
    pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);
  }
}

/**
 * Sends `initialize` to a stdio server and waits for its answer. The process is used up by that: a
 * client starts with its own initialize.
 * @throws Error with the reason when there is none in time.
 */
export async function shakeHands(
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
      text = (lines.pop() ?? '').slice(0, LONGEST_ANSWER);
      if (lines.some((line) => line.includes(PROBE_ID) && answersProbe(line))) settle();
    };
    const onEnd = () => settle(new Error('it ended without an answer to initialize'));
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
