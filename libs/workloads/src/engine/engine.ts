import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Agent, request, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  listEngineCandidates,
  formatEngineAddress,
  type EngineAddress,
  type EngineEnvironment,
} from './engine-address.ts';
import { SshConnection } from './ssh-connection.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';

/** An error status of the engine. */
export class EngineResponseError extends GatehouseError {
  override readonly code = 'container_engine_refused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The platform of an engine in the terms of Go, and its version. */
interface EngineVersion {
  readonly Os?: string;
  readonly Arch?: string;
  readonly Version?: string;
}

/** The options of a call. */
export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly abort?: AbortSignal | undefined;
}

/** Maximum time until the engine answers a ping. */
const PING_TIMEOUT_MS = 5_000;

/** TLS takes half of the time of Node's own start. Most engines are reached through a socket. */
const getHttps = () => process.getBuiltinModule('node:https');

/** No engine redirects. 304 says that a container runs or has ended already. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function readBody(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function toEngineError(status: number, body: string): EngineResponseError {
  let message = body.trim();
  try {
    message = (JSON.parse(body) as { message?: string }).message ?? message;
  } catch {
    // A proxy in front of the engine can answer plain text.
  }
  return new EngineResponseError(status, message === '' ? `the engine answered ${status}` : message);
}

/**
 * Client of the HTTP API of a Docker or Podman engine. It uses the unversioned paths, which each
 * engine serves in its newest version. dockerode is not used because it takes 0.3 s to load.
 */
export class Engine {
  /** Text form of the address, as the run configuration stores it. */
  readonly address: string;
  /** Host of ports that are published on the loopback address of the engine. */
  readonly host: string;
  /** Whether the engine is on another machine, so that its loopback address cannot be reached. */
  readonly isRemote: boolean;
  readonly #options: RequestOptions;
  readonly #secure: boolean;
  #version: Promise<EngineVersion> | undefined;
  #isPodman: boolean | undefined;

  constructor(address: EngineAddress) {
    this.address = formatEngineAddress(address);
    this.#secure = address.kind === 'tcp' && address.tlsFolder !== undefined;
    this.host = address.kind === 'socket' || address.kind === 'ssh' ? '127.0.0.1' : address.host;
    this.isRemote = address.kind === 'ssh' || (address.kind === 'tcp' && !isLoopback(address.host));
    this.#options = createRequestOptions(address);
  }

  /**
   * Calls the engine and parses its JSON response (undefined when it has none).
   * @throws EngineResponseError for a status from 400 up; WorkloadError (no-engine) without an
   * answer.
   */
  async call(method: string, path: string, body?: unknown, abort?: AbortSignal): Promise<unknown> {
    const response = await this.stream(method, path, { body, abort });
    const text = await this.#readText(response, abort);
    // Podman answers some calls with "OK".
    if (['', 'OK'].includes(text.trim())) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw this.#createForeignError(method, path, error);
    }
  }

  #readText(response: IncomingMessage, abort?: AbortSignal): Promise<string> {
    return readBody(response).catch((error: unknown) => {
      throw abort?.aborted === true ? error : this.#unreachable(error as Error);
    });
  }

  /**
   * Calls the engine and returns the response as a stream. The caller must read it to its end or
   * destroy it.
   */
  async stream(method: string, path: string, options: CallOptions = {}): Promise<IncomingMessage> {
    const { body, headers, abort } = options;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const call = this.#request(method, path, { ...type, ...headers }, abort);
      call.on('response', resolve);
      call.on('error', (error) => {
        reject(abort?.aborted === true ? error : this.#unreachable(error));
      });
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
    if ((response.statusCode ?? 500) >= 400) throw toEngineError(response.statusCode ?? 500, await readBody(response));
    if (REDIRECTS.has(response.statusCode ?? 0)) {
      response.destroy();
      throw this.#createForeignError(method, path);
    }
    return response;
  }

  /**
   * Sends a stream to the engine and returns the response as a stream. The caller must read it to
   * its end or destroy it.
   * @throws EngineResponseError for a status from 400 up; WorkloadError (no-engine) without an
   * answer; the error of the stream.
   */
  async upload(
    path: string,
    content: Readable,
    headers: Record<string, string>,
    abort: AbortSignal,
  ): Promise<IncomingMessage> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = this.#request('POST', path, headers, abort);
      call.on('response', resolve);
      call.on('error', (error) => reject(abort.aborted || content.errored ? error : this.#unreachable(error)));
      pipeline(content, call).catch(reject);
    });
    if ((response.statusCode ?? 500) >= 400) throw toEngineError(response.statusCode ?? 500, await readBody(response));
    return response;
  }

  /**
   * Upgrades a call to a raw connection in both directions.
   * @returns the socket and the bytes that have arrived already.
   */
  async hijack(path: string): Promise<{ socket: Socket; head: Buffer }> {
    return new Promise((resolve, reject) => {
      const call = this.#request('POST', path, { connection: 'Upgrade', upgrade: 'tcp' });
      call.on('upgrade', (_response, socket, head) => resolve({ socket, head }));
      call.on('response', (response) => {
        readBody(response).then(
          (text) => reject(toEngineError(response.statusCode ?? 500, text)),
          (error: unknown) => reject(error as Error),
        );
      });
      call.on('error', (error) => reject(this.#unreachable(error)));
      call.end();
    });
  }

  /** @throws WorkloadError (no-engine) when no engine answers. */
  async ping(): Promise<void> {
    await this.#ping();
  }

  /**
   * Whether the engine is Podman, which serves the API of Docker. Docker runs other programs to
   * answer a question for its version, which takes 30 ms.
   */
  async isPodman(): Promise<boolean> {
    return this.#isPodman ?? this.#ping();
  }

  async #ping(): Promise<boolean> {
    const abort = AbortSignal.timeout(PING_TIMEOUT_MS);
    const response = await this.stream('GET', '/_ping', { abort });
    const text = await this.#readText(response, abort);
    if (!['', 'OK'].includes(text.trim())) throw this.#createForeignError('GET', '/_ping');
    this.#isPodman = response.headers['libpod-api-version'] !== undefined;
    return this.#isPodman;
  }

  /** Returns the description of the engine, which is read once. */
  async getVersion(): Promise<EngineVersion> {
    this.#version ??= this.#readVersion().catch((error: unknown) => {
      this.#version = undefined;
      throw error;
    });
    return this.#version;
  }

  async #readVersion(): Promise<EngineVersion> {
    const version = await this.call('GET', '/version');
    if (typeof version !== 'object' || version === null) throw this.#createForeignError('GET', '/version');
    return version;
  }

  /** Ends idle connections, so that a process can exit. */
  close(): void {
    (this.#options.agent as Agent).destroy();
  }

  #request(method: string, path: string, headers: Record<string, string>, abort?: AbortSignal): ClientRequest {
    const options: RequestOptions = { ...this.#options, method, path, headers, ...(abort && { signal: abort }) };
    // An upgraded connection cannot return to the pool. Without an agent createConnection counts.
    if (headers['upgrade'] !== undefined) options.agent = options.createConnection ? undefined : false;
    return this.#secure ? getHttps().request(options) : request(options);
  }

  /** The error for another program at the address, such as a web server. */
  #createForeignError(method: string, path: string, cause?: unknown): WorkloadError {
    return new WorkloadError(
      'no-engine',
      `No container engine answers at ${this.address}: the answer to ${method} ${path.replace(/[?].*$/, '')} is that of another program`,
      ['set DOCKER_HOST to an engine that runs'],
      cause,
    );
  }

  #unreachable(error: Error): WorkloadError {
    const denied = (error as NodeJS.ErrnoException).code === 'EACCES';
    return new WorkloadError(
      'no-engine',
      denied
        ? `This user has no access to the container engine at ${this.address}`
        : `No container engine answers at ${this.address} (${getErrorMessage(error)})`,
      denied
        ? ['sudo usermod -aG docker $USER, then sign in again']
        : ['start Docker or Podman', 'or set DOCKER_HOST to an engine that runs'],
      error,
    );
  }
}

/** Options of every call: where the engine is, and the pool of connections. */
function createRequestOptions(address: EngineAddress): RequestOptions {
  if (address.kind === 'socket')
    return { socketPath: address.path, host: 'localhost', agent: new Agent({ keepAlive: true }) };
  if (address.kind === 'ssh') {
    const connect = () => new SshConnection(address);
    const agent = Object.assign(new Agent({ keepAlive: true }), { createConnection: connect });
    return { host: 'localhost', agent, createConnection: connect };
  }
  const { host, port, tlsFolder: folder } = address;
  if (folder === undefined) return { host, port, agent: new Agent({ keepAlive: true }) };
  const tls = readTls(folder);
  return { host, port, ...tls, agent: new (getHttps().Agent)({ keepAlive: true, ...tls }) };
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

/** Reads the certificates of a folder. A context can have the one of the authority alone. */
function readTls(folder: string): { ca?: Buffer; cert?: Buffer; key?: Buffer } {
  try {
    const read = (name: string) => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path) : undefined;
    };
    const [ca, cert, key] = [read('ca.pem'), read('cert.pem'), read('key.pem')];
    if (ca === undefined && cert === undefined) throw new Error('it has neither ca.pem nor cert.pem');
    if ((cert === undefined) !== (key === undefined)) throw new Error('it has only one of cert.pem and key.pem');
    return { ...(ca && { ca }), ...(cert && key && { cert, key }) };
  } catch (error) {
    throw new WorkloadError(
      'no-engine',
      `The engine's TLS files in ${folder} cannot be read: ${getErrorMessage(error)}`,
    );
  }
}

/**
 * Finds the engine to use: the selected one, else the first well-known socket that answers.
 * @throws WorkloadError (no-engine)
 */
export async function findEngine(environment: EngineEnvironment): Promise<Engine> {
  const candidates = listEngineCandidates(environment);
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
  if (last instanceof WorkloadError) throw last;
  if (last !== undefined)
    throw new WorkloadError('no-engine', `The container engine does not work: ${getErrorMessage(last)}`, [], last);
  throw new WorkloadError('no-engine', 'No container engine was found: there is no socket of Docker or Podman', [
    'install and start Docker or Podman',
    'or set DOCKER_HOST to an engine that runs',
  ]);
}
