import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Agent, request, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { engineCandidates, formatEngineAddress, type EngineAddress, type EngineEnvironment } from './engine-address.ts';
import { messageOf, WorkloadFailure } from './failure.ts';

/** The engine answered, and refused. */
export class EngineRefusal extends GatehouseError {
  override readonly code = 'container_engine_refused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** How long an engine may take to say that it is there. */
const PING_MS = 5_000;

async function bodyOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function refusalOf(status: number, body: string): EngineRefusal {
  let message = body.trim();
  try {
    message = (JSON.parse(body) as { message?: string }).message ?? message;
  } catch {
    // Not every proxy in front of an engine answers JSON.
  }
  return new EngineRefusal(status, message === '' ? `the engine answered ${status}` : message);
}

/**
 * One Docker or Podman engine, over its HTTP API (the unversioned paths, which every engine serves
 * in its own newest version). A small client of our own: the usual library takes a third of a
 * second to load, longer than a container takes to start.
 */
export class Engine {
  /** Text form of the address; what a run configuration keeps. */
  readonly address: string;
  /**
   * Host name under which ports published on the engine's loopback are reached: loopback, or the
   * engine's own machine.
   */
  readonly host: string;
  readonly #options: RequestOptions;
  readonly #secure: boolean;

  constructor(address: EngineAddress) {
    this.address = formatEngineAddress(address);
    this.#secure = address.kind === 'tcp' && address.tlsFolder !== undefined;
    if (address.kind === 'socket') {
      this.host = '127.0.0.1';
      this.#options = { socketPath: address.path, host: 'localhost', agent: new Agent({ keepAlive: true }) };
    } else {
      this.host = address.host;
      const folder = address.tlsFolder;
      const tls = folder === undefined ? {} : readTls(folder);
      this.#options = {
        host: address.host,
        port: address.port,
        ...tls,
        agent: folder === undefined ? new Agent({ keepAlive: true }) : new TlsAgent({ keepAlive: true, ...tls }),
      };
    }
  }

  /**
   * Calls the engine and reads its JSON answer (undefined when it is empty).
   * @throws EngineRefusal on any status from 400 up; WorkloadFailure (no-engine) when nobody
   * answers.
   */
  async call(method: string, path: string, body?: unknown, abort?: AbortSignal): Promise<unknown> {
    const response = await this.stream(method, path, body, abort);
    const text = await bodyOf(response);
    return text.trim() === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /**
   * Like {@link call}, for answers that arrive bit by bit. The caller reads the response to its end
   * or destroys it.
   */
  async stream(method: string, path: string, body?: unknown, abort?: AbortSignal): Promise<IncomingMessage> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = this.#request(method, path, body === undefined ? {} : { 'content-type': 'application/json' }, abort);
      call.on('response', resolve);
      call.on('error', (error) => {
        reject(abort?.aborted === true ? error : this.#unreachable(error));
      });
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
    if ((response.statusCode ?? 500) >= 400) throw refusalOf(response.statusCode ?? 500, await bodyOf(response));
    return response;
  }

  /**
   * Turns a call into a raw two-way connection (HTTP upgrade; engines that answer 200 instead of
   * 101 hand over the connection just the same).
   * @returns the socket, and what had already arrived on it.
   */
  async hijack(path: string): Promise<{ socket: Socket; head: Buffer }> {
    return new Promise((resolve, reject) => {
      const call = this.#request('POST', path, { connection: 'Upgrade', upgrade: 'tcp' });
      call.on('upgrade', (_response, socket, head) => resolve({ socket, head }));
      call.on('response', (response) => {
        bodyOf(response).then(
          (text) => reject(refusalOf(response.statusCode ?? 500, text)),
          (error: unknown) => reject(error as Error),
        );
      });
      call.on('error', (error) => reject(this.#unreachable(error)));
      call.end();
    });
  }

  /** @throws WorkloadFailure (no-engine) when nothing that looks like an engine answers. */
  async ping(): Promise<void> {
    await this.call('GET', '/_ping', undefined, AbortSignal.timeout(PING_MS)).catch((error: unknown) => {
      // "OK" is not JSON: an answer that cannot be parsed is an answer.
      if (!(error instanceof SyntaxError)) throw error;
    });
  }

  /** Ends idle connections, so that a process can exit. */
  close(): void {
    (this.#options.agent as Agent).destroy();
  }

  #request(method: string, path: string, headers: Record<string, string>, abort?: AbortSignal): ClientRequest {
    const options: RequestOptions = { ...this.#options, method, path, headers, ...(abort && { signal: abort }) };
    // A hijacked connection never returns to the pool.
    if (headers['upgrade'] !== undefined) options.agent = false;
    return this.#secure ? tlsRequest(options) : request(options);
  }

  #unreachable(error: Error): WorkloadFailure {
    const denied = (error as NodeJS.ErrnoException).code === 'EACCES';
    return new WorkloadFailure(
      'no-engine',
      denied
        ? `The container engine at ${this.address} may not be used by this user`
        : `No container engine answers at ${this.address} (${messageOf(error)})`,
      denied
        ? ['sudo usermod -aG docker $USER, then sign in again']
        : ['start Docker or Podman', 'or set DOCKER_HOST to an engine that runs'],
      error,
    );
  }
}

function readTls(folder: string): { ca: Buffer; cert: Buffer; key: Buffer } {
  try {
    const read = (name: string) => readFileSync(join(folder, name));
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } catch (error) {
    throw new WorkloadFailure('no-engine', `The engine's TLS files in ${folder} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Finds the engine to use: the explicitly chosen one, else the first well-known socket that
 * answers.
 * @throws WorkloadFailure (no-engine)
 */
export async function findEngine(environment: EngineEnvironment): Promise<Engine> {
  const candidates = engineCandidates(environment);
  let last: unknown;
  for (const candidate of candidates) {
    try {
      const engine = new Engine(candidate);
      await engine.ping();
      return engine;
    } catch (error) {
      last = error;
    }
  }
  if (last instanceof WorkloadFailure) throw last;
  if (last !== undefined)
    throw new WorkloadFailure('no-engine', `The container engine does not work: ${messageOf(last)}`, [], last);
  throw new WorkloadFailure('no-engine', 'No container engine was found: there is no socket of Docker or Podman', [
    'install and start Docker or Podman',
    'or set DOCKER_HOST to an engine that runs',
  ]);
}
