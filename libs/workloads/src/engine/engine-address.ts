import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { flagError, WorkloadError } from '../errors/workload-error.ts';
import type { CredentialEnvironment } from '../registry-credentials/credential-files.ts';
import type { SshAddress } from './ssh-connection.ts';

/** The environment variables that select the container engine. */
export interface EngineEnvironment extends CredentialEnvironment {
  /** DOCKER_HOST */
  readonly dockerHost?: string | undefined;
  /** DOCKER_CONTEXT */
  readonly dockerContext?: string | undefined;
  /** An address that a setting of Gatehouse names; the variables win over it. */
  readonly setting?: string | undefined;
  /** DOCKER_CERT_PATH, when DOCKER_TLS_VERIFY is set. */
  readonly tlsFolder?: string | undefined;
}

/** An engine on a port of TCP. */
export interface TcpAddress {
  readonly kind: 'tcp';
  readonly host: string;
  readonly port: number;
  /** Folder with ca.pem, cert.pem and key.pem; undefined: no TLS. */
  readonly tlsFolder: string | undefined;
}

/**
 * The address of an engine. The run configuration stores its text form: `unix:///path`,
 * `tcp://host:port[?tls=folder]` or `ssh://[user@]host[:port][/path]`.
 */
export type EngineAddress = { readonly kind: 'socket'; readonly path: string } | TcpAddress | SshAddress;

/**
 * Parses `unix://`, `npipe://`, `tcp://`, `http://`, `https://` and `ssh://` addresses.
 * @param origin source of the address, for the error message
 * @throws WorkloadError (usage) for any other text.
 */
export function parseEngineAddress(text: string, origin: string, tlsFolder?: string): EngineAddress {
  const socket = /^unix:\/\/(\/.+)$/.exec(text)?.[1] ?? /^npipe:(\/\/.+)$/.exec(text)?.[1];
  if (socket !== undefined) return { kind: 'socket', path: socket };
  const scheme = /^(tcp|http|https|ssh):\/\//.exec(text)?.[1];
  const url = scheme === undefined ? null : URL.parse(text.replace(/^[a-z]+:/, 'http:'));
  if (!url || url.hostname === '') {
    throw flagError(
      `${origin} ${text}`,
      'is not a supported engine address; give unix:///path, tcp://host:port or ssh://user@host',
    );
  }
  if (scheme === 'ssh') return parseSshAddress(url, `${origin} ${text}`);
  const tls = url.searchParams.get('tls') ?? tlsFolder;
  if (scheme === 'https' && tls === undefined)
    throw flagError(
      `${origin} ${text}`,
      'needs the certificates of the engine',
      'set DOCKER_TLS_VERIFY=1, and DOCKER_CERT_PATH to the folder with ca.pem, cert.pem and key.pem',
    );
  const port = url.port === '' ? (tls === undefined ? 2375 : 2376) : Number(url.port);
  return { kind: 'tcp', host: url.hostname.replace(/^\[|\]$/g, ''), port, tlsFolder: tls };
}

/** A host or a user that begins with a hyphen would be an option of ssh. */
const SSH_NAME = /^[A-Za-z0-9_.:][A-Za-z0-9_.:@%-]*$/;

function parseSshAddress(url: URL, typed: string): SshAddress {
  if (url.password !== '')
    throw flagError(typed.replace(`:${url.password}@`, ':…@'), 'has a password', 'use a key and ssh-agent');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const user = url.username === '' ? undefined : decodeURIComponent(url.username);
  if (!SSH_NAME.test(host) || (user !== undefined && !SSH_NAME.test(user)) || url.search !== '' || url.hash !== '')
    throw flagError(typed, 'is not an address of SSH; give ssh://user@host or ssh://user@host:port');
  const socket = url.pathname === '/' || url.pathname === '' ? undefined : url.pathname;
  if (socket !== undefined && !/^[A-Za-z0-9_./-]+$/.test(socket))
    throw flagError(typed, 'has a path that is not the path of a socket');
  return { kind: 'ssh', host, user, port: url.port === '' ? undefined : Number(url.port), socket };
}

const bracket = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Formats an address as text. */
export function formatEngineAddress(address: EngineAddress): string {
  if (address.kind === 'socket') return `unix://${address.path}`;
  if (address.kind === 'ssh') {
    const user = address.user === undefined ? '' : `${encodeURIComponent(address.user)}@`;
    const port = address.port === undefined ? '' : `:${address.port}`;
    return `ssh://${user}${bracket(address.host)}${port}${address.socket ?? ''}`;
  }
  const tls = address.tlsFolder === undefined ? '' : `?tls=${encodeURIComponent(address.tlsFolder)}`;
  return `tcp://${bracket(address.host)}:${address.port}${tls}`;
}

function readContextAddress(name: string, configFolder: string): EngineAddress {
  const id = createHash('sha256').update(name).digest('hex');
  const origin = `docker context '${name}'`;
  let host: unknown;
  let skipsVerification: unknown;
  try {
    const meta = JSON.parse(readFileSync(join(configFolder, 'contexts', 'meta', id, 'meta.json'), 'utf8')) as {
      Endpoints?: { docker?: { Host?: unknown; SkipTLSVerify?: unknown } };
    };
    host = meta.Endpoints?.docker?.Host;
    skipsVerification = meta.Endpoints?.docker?.SkipTLSVerify;
  } catch (error) {
    throw new WorkloadError('no-engine', `The ${origin} cannot be read`, ['docker context ls'], error);
  }
  if (typeof host !== 'string') throw new WorkloadError('no-engine', `The ${origin} names no docker endpoint`);
  if (skipsVerification === true)
    throw new WorkloadError('no-engine', `The ${origin} does not verify the certificate of its engine`, [
      `docker context update ${name} --docker "host=${host},ca=FILE,cert=FILE,key=FILE"`,
    ]);
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
  if (environment.setting !== undefined && !environment.dockerContext)
    return [parseEngineAddress(environment.setting, 'The setting engine')];
  const configFolder = environment.dockerConfig ?? join(homedir(), '.docker');
  const wanted = environment.dockerContext === 'default' ? undefined : environment.dockerContext;
  const context = wanted ?? (environment.dockerContext === undefined ? readCurrentContext(configFolder) : undefined);
  if (context !== undefined && context !== '') return [readContextAddress(context, configFolder)];
  return listWellKnownSockets(environment.runtimeFolder)
    .filter((path) => existsSync(path))
    .map((path) => ({ kind: 'socket', path }));
}
