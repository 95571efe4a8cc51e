import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createErrorBody } from './errors.ts';
import { DemoRequestError, isObject, type JsonObject, type Reply } from './reply.ts';
import { findRoute } from './routes.ts';

/** A running demo provider. */
export interface DemoProvider {
  readonly url: string;
  close(): Promise<void>;
}

/** The largest accepted body in bytes: that of the AI gateway. */
const BODY_LIMIT = 32 * 1024 * 1024;
/** The pause between the parts of a stream, so that a reader sees it grow. */
const PAUSE_MS = 15;

/** Starts the provider on the loopback address. @param port 0 lets the system choose */
export async function startDemoProvider(port: number): Promise<DemoProvider> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: listening } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${listening}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/healthz' || pathname === '/readyz') {
    sendJson(response, 200, { status: 'ok' });
    return;
  }
  const isAnthropic = request.headers['anthropic-version'] !== undefined;
  const { vendor, operation, pathModel } = findRoute(request.method ?? 'GET', pathname, isAnthropic);
  try {
    if (operation === undefined) throw new DemoRequestError('The demo provider does not have this operation.', 404);
    const bytes = await readBody(request);
    const body = request.method === 'GET' ? {} : parseObject(bytes);
    await send(response, operation({ body, pathModel, query }));
  } catch (error) {
    if (!(error instanceof DemoRequestError)) throw error;
    sendJson(response, error.status, createErrorBody(vendor, error));
  }
}

/** @throws DemoRequestError for a body above the limit */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new DemoRequestError('The body is larger than 32 MiB.', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseObject(bytes: Buffer): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (cause) {
    throw new DemoRequestError('The body must be JSON.', 400, { cause });
  }
  if (isObject(value)) return value;
  throw new DemoRequestError('The body must be a JSON object.');
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if ('json' in reply) {
    sendJson(response, 200, reply.json);
    return;
  }
  response.writeHead(200, { 'content-type': reply.contentType, 'cache-control': 'no-store' });
  for (const [at, frame] of reply.frames.entries()) {
    if (at > 0) await sleep(PAUSE_MS);
    if (response.destroyed) return;
    response.write(frame);
  }
  response.end();
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
