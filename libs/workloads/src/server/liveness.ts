import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerAddress, ServerConnection } from '../runtime/workload-server.ts';
import { getErrorMessage } from '../errors/workload-error.ts';

/** The times of the watch, in milliseconds. */
interface LivenessTimes {
  /** Pause between two pings. */
  readonly intervalMs: number;
  /** Maximum time until the answer. */
  readonly timeoutMs: number;
}

const TIMES: LivenessTimes = { intervalMs: 30_000, timeoutMs: 10_000 };
/** A server that misses one ping can be busy. */
const FAILURES = 3;
const PING = JSON.stringify({ jsonrpc: '2.0', id: 'gatehouse-ping', method: 'ping' });

/**
 * Pings an HTTP server until the abort. Each answer counts, also a refusal: a server with sessions
 * refuses a ping without one, which costs it nothing. A stdio server is not watched: each session
 * has its own process, and a request to a hung process reaches its time limit. A remote server
 * reports its sign-in itself.
 * @param report called with a reason after some pings without an answer, and with undefined after
 * the next answer
 */
export async function watchLiveness(
  connection: ServerConnection,
  report: (reason: string | undefined) => void,
  abort: AbortSignal,
  { intervalMs, timeoutMs } = TIMES,
): Promise<void> {
  if (connection.kind === 'remote') connection.watch(report);
  if (connection.kind !== 'http') return;
  const isOver = (): boolean => abort.aborted;
  let failures = 0;
  for (;;) {
    await sleep(intervalMs, undefined, { signal: abort, ref: false }).catch(() => undefined);
    const address = connection.getAddress();
    if (isOver()) return;
    if (address === undefined) continue;
    const problem = await findProblem(address, timeoutMs, abort);
    if (isOver()) return;
    if (problem === undefined && failures >= FAILURES) report(undefined);
    failures = problem === undefined ? 0 : failures + 1;
    if (problem !== undefined && failures === FAILURES) report(problem);
  }
}

/** Sends a ping. @returns the reason why the server is not alive; undefined when it answers */
function findProblem(
  { host, port }: ServerAddress,
  timeoutMs: number,
  abort: AbortSignal,
): Promise<string | undefined> {
  const headers = {
    host: `localhost:${port}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(PING),
  };
  const signal = AbortSignal.any([abort, AbortSignal.timeout(timeoutMs)]);
  return new Promise((resolve) => {
    const call = request({ host, port, path: '/mcp', method: 'POST', agent: false, headers, signal }, () => {
      resolve(undefined);
      call.destroy();
    });
    call.on('error', (error) =>
      resolve(
        error.name === 'AbortError'
          ? `its server does not answer on port ${port}`
          : `its server does not answer on port ${port} (${getErrorMessage(error)})`,
      ),
    );
    call.end(PING);
  });
}
