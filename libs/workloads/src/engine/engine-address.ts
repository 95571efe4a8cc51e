import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { flagError, WorkloadError } from '../errors/workload-error.ts';
import type { CredentialEnvironment } from '../registry-credentials/credential-files.ts';

/** The environment variables that select the container engine. */
export interface EngineEnvironment extends CredentialEnvironment {
  /** DOCKER_HOST */
  readonly dockerHost?: string | undefined;
  /** DOCKER_CONTEXT */
  readonly dockerContext?: string | undefined;
  /** DOCKER_CERT_PATH, when DOCKER_TLS_VERIFY is set. */
  readonly tlsFolder?: string | undefined;
}

/**
 * The address of an engine. The run configuration stores its text form: `unix:///path` or
 * `tcp://host:port[?tls=folder]`.
 */
export type EngineAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly tlsFolder: string | undefined };

/**
 * Parses `unix://`, `npipe://`, `tcp://`, `http://` and `https://` addresses.
 * @param origin source of the address, for the error message
 * @throws WorkloadError (usage) for any other text.
 */
export function parseEngineAddress(text: string, origin: string, tlsFolder?: string): EngineAddress {
  const socket = /^unix:\/\/(\/.+)$/.exec(text)?.[1] ?? /^npipe:(\/\/.+)$/.exec(text)?.[1];
  if (socket !== undefined) return { kind: 'socket', path: socket };
  const url = /^(tcp|http|https):\/\//.test(text) ? URL.parse(text.replace(/^[a-z]+:/, 'http:')) : null;
  if (!url || url.hostname === '') {
    throw flagError(`${origin} ${text}`, 'is not a supported engine address; give unix:///path or tcp://host:port');
  }
  const tls = url.searchParams.get('tls') ?? tlsFolder;
  const port = url.port === '' ? (tls === undefined ? 2375 : 2376) : Number(url.port);
  return { kind: 'tcp', host: url.hostname.replace(/^\[|\]$/g, ''), port, tlsFolder: tls };
}

/** Formats an address as text. */
export function formatEngineAddress(address: EngineAddress): string {
  if (address.kind === 'socket') return `unix://${address.path}`;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `tcp://${host}:${address.port}${address.tlsFolder === undefined ? '' : `?tls=${encodeURIComponent(address.tlsFolder)}`}`;
}

function readContextAddress(name: string, configFolder: string): EngineAddress {
  const id = createHash('sha256').update(name).digest('hex');
  const origin = `docker context '${name}'`;
  let host: unknown;
  try {
    const meta = JSON.parse(readFileSync(join(configFolder, 'contexts', 'meta', id, 'meta.json'), 'utf8')) as {
      Endpoints?: { docker?: { Host?: unknown } };
    };
    host = meta.Endpoints?.docker?.Host;
  } catch (error) {
    throw new WorkloadError('no-engine', `The ${origin} cannot be read`, ['docker context ls'], error);
  }
  if (typeof host !== 'string') throw new WorkloadError('no-engine', `The ${origin} names no docker endpoint`);
  const tls = join(configFolder, 'contexts', 'tls', id, 'docker');
  return parseEngineAddress(host, origin, existsSync(tls) ? tls : undefined);
}

function readCurrentContext(configFolder: string): string | undefined {
  try {
    const { currentContext: name } = JSON.parse(readFileSync(join(configFolder, 'config.json'), 'utf8')) as {
      currentContext?: unknown;
    };
    return typeof name === 'string' && name !== '' && name !== 'default' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the well-known sockets of Docker, then those of Podman. */
function listWellKnownSockets(runtimeFolder: string | undefined): string[] {
  const home = homedir();
  return [
    '/var/run/docker.sock',
    ...(runtimeFolder === undefined ? [] : [join(runtimeFolder, 'docker.sock')]),
    join(home, '.docker/run/docker.sock'),
    join(home, '.docker/desktop/docker.sock'),
    join(home, '.rd/docker.sock'),
    join(home, '.orbstack/run/docker.sock'),
    join(home, '.colima/default/docker.sock'),
    '/var/run/podman/podman.sock',
    ...(runtimeFolder === undefined ? [] : [join(runtimeFolder, 'podman', 'podman.sock')]),
    join(home, '.local/share/containers/podman/machine/podman.sock'),
  ];
}

/**
 * Returns the engines to try, best first: the one that DOCKER_HOST or a docker context selects,
 * else all existing well-known sockets.
 * @throws WorkloadError when the selected engine is invalid.
 */
export function listEngineCandidates(environment: EngineEnvironment): EngineAddress[] {
  if (environment.dockerHost !== undefined && environment.dockerHost !== '') {
    return [parseEngineAddress(environment.dockerHost, 'DOCKER_HOST', environment.tlsFolder)];
  }
  const configFolder = environment.dockerConfig ?? join(homedir(), '.docker');
  const wanted = environment.dockerContext === 'default' ? undefined : environment.dockerContext;
  const context = wanted ?? (environment.dockerContext === undefined ? readCurrentContext(configFolder) : undefined);
  if (context !== undefined && context !== '') return [readContextAddress(context, configFolder)];
  return listWellKnownSockets(environment.runtimeFolder)
    .filter((path) => existsSync(path))
    .map((path) => ({ kind: 'socket', path }));
}
