import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { Pool } from 'undici';
import type { RunConfig } from '../configuration/run-config.ts';
import { INITIALIZE, isEndpoint, isProbeResponse, MAX_RESPONSE_LENGTH } from '../server/readiness.ts';
import { showUrl } from '../flags/remote-address.ts';

/** The server answers, and not with MCP. */
export class RemoteRefusalError extends GatehouseError {
  override readonly code = 'remote_refusal';

  /** @param location the target of a redirect, without its query */
  constructor(
    readonly status: number,
    readonly location: string | undefined,
    /** The value of WWW-Authenticate. */
    readonly challenge?: string | undefined,
  ) {
    super(`The server answers with HTTP ${status}.`);
  }
}

/** The server that is asked. */
interface RemoteTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: RunConfig['transport'];
  readonly signal: AbortSignal;
}

/**
 * Sends `initialize` to a remote server, or opens its stream, once. No redirect is followed, since
 * the credentials are for this server only.
 * @throws RemoteRefusalError, or the error of the connection
 */
export async function probeRemoteServer(pool: Pool, { url, headers, transport, signal }: RemoteTarget): Promise<void> {
  const path = url.pathname + url.search;
  const isSse = transport === 'sse';
  const accept = isSse ? 'text/event-stream' : 'application/json, text/event-stream';
  const {
    statusCode,
    headers: answered,
    body,
  } = await pool.request({
    ...{ path, signal },
    ...(isSse ? { method: 'GET' } : { method: 'POST', body: INITIALIZE }),
    headers: { ...headers, accept, ...(!isSse && { 'content-type': 'application/json' }) },
  });
  const text = await readUntil(body, isSse ? isEndpoint : isProbeResponse);
  if (!(isSse ? isEndpoint(text) : isProbeResponse(text)) || statusCode === 401)
    throw new RemoteRefusalError(
      statusCode,
      readLocation(url, statusCode, answered['location']),
      [answered['www-authenticate'] ?? []].flat().join(', ') || undefined,
    );
  const session = answered['mcp-session-id'];
  if (typeof session !== 'string') return;
  const ended = pool.request({ path, method: 'DELETE', headers: { ...headers, accept, 'mcp-session-id': session } });
  // Servers may refuse that, and the workload need not wait for it.
  ended.then((answer) => answer.body.dump()).catch(() => undefined);
}

async function readUntil(body: AsyncIterable<Buffer>, isAnswer: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  // Leaving the loop ends the stream.
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_RESPONSE_LENGTH || (/[\r\n]$/.test(text) && isAnswer(text))) break;
  }
  return text;
}

function readLocation(base: URL, status: number, location: string | string[] | undefined): string | undefined {
  if (status < 300 || status >= 400 || typeof location !== 'string') return undefined;
  const url = URL.parse(location, base.href);
  return url === null ? undefined : showUrl(url);
}
