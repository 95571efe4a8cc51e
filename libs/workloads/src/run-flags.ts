import { isIP } from 'node:net';
import { mergeEnvironments, parseEnvironment, readEnvironmentFile, readEnvironmentFolder } from './environment.ts';
import { badFlag } from './failure.ts';
import { parseGoDuration } from './go-duration.ts';
import { parseLabels } from './labels.ts';
import { parseMounts, type Mount } from './mounts.ts';
import { parseOrigins } from './origins.ts';
import { parsePublish, parseWhole, type PublishedPort } from './ports.ts';
import { parseLimits, type ResourceLimits } from './resource-limits.ts';
import { classifySource, requireImage } from './source.ts';
import { nameOfImage, sanitiseName } from './workload-name.ts';

/** The transports of a workload that this version serves. */
export type Transport = 'stdio' | 'streamable-http';

/**
 * The flags of `run` as they were typed; undefined and empty lists are flags that were not given.
 */
export interface RunFlags {
  readonly name?: string | undefined;
  readonly label?: readonly string[] | undefined;
  readonly env?: readonly string[] | undefined;
  readonly envFile?: string | undefined;
  readonly envFileDir?: string | undefined;
  readonly volume?: readonly string[] | undefined;
  readonly publish?: readonly string[] | undefined;
  readonly network?: string | undefined;
  readonly memory?: string | undefined;
  readonly cpus?: string | undefined;
  readonly pidsLimit?: string | undefined;
  readonly transport?: string | undefined;
  readonly host?: string | undefined;
  readonly proxyPort?: string | undefined;
  readonly targetHost?: string | undefined;
  readonly targetPort?: string | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly strictProtocolValidation?: boolean | undefined;
  readonly stateless?: boolean | undefined;
  readonly maxRequestBodySize?: string | undefined;
  readonly proxyReadTimeout?: string | undefined;
  readonly sessionTtl?: string | undefined;
  readonly requestTimeout?: string | undefined;
  readonly startTimeout?: string | undefined;
  readonly debug?: boolean | undefined;
}

/**
 * What `run` was asked for, checked as far as that is possible without an engine. Times in
 * milliseconds, sizes in bytes.
 */
export interface RunRequest {
  readonly image: string;
  readonly args: readonly string[];
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly publish: readonly PublishedPort[];
  /** Network mode as the engine knows it; undefined is a bridge network of the workload's own. */
  readonly network: string | undefined;
  readonly limits: ResourceLimits;
  /** Undefined: the image's label decides, else streamable-http. */
  readonly transport: Transport | undefined;
  /** Address or name the proxy listens on. */
  readonly host: string;
  readonly proxyPort: number | undefined;
  readonly targetHost: string | undefined;
  readonly targetPort: number | undefined;
  readonly allowedOrigins: readonly string[] | undefined;
  readonly strictProtocolValidation: boolean;
  readonly stateless: boolean;
  readonly maxRequestBodyBytes: number;
  readonly proxyReadTimeoutMs: number;
  readonly sessionTtlMs: number;
  /** Undefined: 10 minutes, and none for a request that reports progress. */
  readonly requestTimeoutMs: number | undefined;
  readonly startTimeoutMs: number;
  readonly debug: boolean;
  /** Things that were changed or passed over, one sentence each. */
  readonly warnings: readonly string[];
}

/** The longest time a Node timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;
const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)*$/;
const NETWORK_MODE = /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/;
const BRIDGES = ['', 'bridge', 'default'];

function duration(flag: string, text: string | undefined, whenZero: number): number {
  if (text === undefined) return whenZero;
  const milliseconds = parseGoDuration(text.trim());
  if (milliseconds === undefined) {
    throw badFlag(`${flag} ${text}`, 'is not a duration; write it like 30s, 1m or 2m30s');
  }
  if (milliseconds < 0) throw badFlag(`${flag} ${text}`, 'is negative');
  if (milliseconds > LONGEST_MS)
    throw badFlag(`${flag} ${text}`, 'is longer than 596h, the longest time that can be waited for');
  return milliseconds === 0 ? whenZero : Math.max(1, Math.round(milliseconds));
}

function port(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = parseWhole(text);
  if (value === undefined || value > 65_535)
    throw badFlag(`${flag} ${text}`, 'is not a port; give a number from 1 to 65535');
  return value === 0 ? undefined : value;
}

function transport(text: string | undefined): Transport | undefined {
  if (text === undefined || text === '') return undefined;
  const known = ['stdio', 'sse', 'streamable-http'].find((name) => text === name || text === name.toUpperCase());
  if (known === undefined) throw badFlag(`--transport ${text}`, 'is no transport; give stdio or streamable-http');
  if (known === 'sse') {
    throw badFlag(
      '--transport sse',
      'is not served by this version',
      'most servers also speak streamable-http or stdio',
    );
  }
  return known as Transport;
}

function hostName(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (isIP(bare) !== 0) return bare;
  if (!HOST_NAME.test(text) || /^[0-9.]+$/.test(text))
    throw badFlag(`${flag} ${text}`, 'is neither an IP address nor a host name');
  return text.toLowerCase();
}

function network(text: string | undefined): string | undefined {
  if (text === undefined || BRIDGES.includes(text)) return undefined;
  if (!NETWORK_MODE.test(text))
    throw badFlag(`--network ${text}`, 'is no network name; give host, none or the name of a network');
  return text;
}

function bodySize(text: string | undefined): number {
  const eightMebibytes = 8 * 1024 * 1024;
  if (text === undefined) return eightMebibytes;
  if (/^-[0-9]+$/.test(text)) throw badFlag(`--max-request-body-size ${text}`, 'is negative');
  const value = parseWhole(text);
  if (value === undefined) throw badFlag(`--max-request-body-size ${text}`, 'is not a whole number of bytes');
  return value === 0 ? eightMebibytes : value;
}

/**
 * The first of the given flags that only means something to a streamable-http server; undefined
 * when none was given.
 */
export function httpOnlyFlag(given: {
  readonly stateless: boolean;
  readonly target_host?: string | undefined;
  readonly target_port?: string | number | undefined;
}): string | undefined {
  if (given.stateless) return '--stateless';
  if (given.target_host !== undefined) return '--target-host';
  return given.target_port === undefined ? undefined : '--target-port';
}

function text(flag: string, value: string | undefined): string | undefined {
  if (value?.includes('\0')) throw badFlag(flag, 'holds a NUL character');
  return value;
}

/**
 * Checks everything that was typed after `run`, before anything is started.
 * @param positional the server: an image, a package scheme or a URL
 * @param args what followed `--`, for the server
 * @param folder what relative paths are relative to
 * @throws WorkloadFailure (usage) whose sentence names the flag.
 */
export function parseRunFlags(
  positional: string,
  args: readonly string[],
  flags: RunFlags,
  folder: string,
): RunRequest {
  const image = requireImage(classifySource(positional));
  const warnings: string[] = [];
  const wanted = text('--name', flags.name);
  const name = wanted === undefined || wanted === '' ? nameOfImage(image) : sanitiseName(wanted);
  if (wanted !== undefined && wanted !== '' && name !== wanted) {
    warnings.push(`the name '${wanted}' cannot name a container; '${name}' is used instead`);
  }
  if (args.some((arg) => arg.includes('\0'))) throw badFlag('an argument after --', 'holds a NUL character');

  const folderVariables = flags.envFileDir === undefined ? undefined : readEnvironmentFolder(flags.envFileDir);
  const fileVariables = flags.envFile === undefined ? undefined : readEnvironmentFile(flags.envFile);
  warnings.push(...(folderVariables?.warnings ?? []), ...(fileVariables?.warnings ?? []));

  const mode = network(flags.network);
  const publish = parsePublish(flags.publish ?? []);
  const proxyPort = port('--proxy-port', flags.proxyPort);
  if (
    publish.length > 0 &&
    mode !== undefined &&
    (mode === 'host' || mode === 'none' || mode.startsWith('container:'))
  ) {
    throw badFlag('--publish', `cannot be used with --network ${mode}, which has no ports of its own`);
  }
  if (proxyPort !== undefined && publish.some((spec) => spec.host === proxyPort)) {
    throw badFlag(`--proxy-port ${proxyPort}`, 'is also a host port of --publish');
  }
  const asked = transport(flags.transport);
  const idle = httpOnlyFlag({
    stateless: flags.stateless ?? false,
    target_host: flags.targetHost,
    target_port: flags.targetPort,
  });
  if (asked === 'stdio' && idle !== undefined) {
    throw badFlag(idle, 'is for streamable-http servers; it has no meaning with --transport stdio');
  }
  if (mode === 'none' && asked === 'streamable-http') {
    throw badFlag('--network none', 'leaves no way to reach a streamable-http server', 'use --transport stdio');
  }
  return {
    image,
    args,
    name,
    labels: parseLabels(flags.label ?? []),
    environment: mergeEnvironments(
      folderVariables?.variables,
      fileVariables?.variables,
      parseEnvironment(flags.env ?? []),
    ),
    mounts: parseMounts(flags.volume ?? [], folder),
    publish,
    network: mode,
    limits: parseLimits(flags),
    transport: asked,
    host: hostName('--host', flags.host) ?? '127.0.0.1',
    proxyPort,
    targetHost: hostName('--target-host', flags.targetHost),
    targetPort: port('--target-port', flags.targetPort),
    allowedOrigins: flags.allowedOrigins?.length ? parseOrigins(flags.allowedOrigins) : undefined,
    strictProtocolValidation: flags.strictProtocolValidation ?? false,
    stateless: flags.stateless ?? false,
    maxRequestBodyBytes: bodySize(flags.maxRequestBodySize),
    proxyReadTimeoutMs: duration('--proxy-read-timeout', flags.proxyReadTimeout, 30_000),
    sessionTtlMs: duration('--session-ttl', flags.sessionTtl, 2 * 3_600_000),
    requestTimeoutMs: duration('--request-timeout', flags.requestTimeout, 0) || undefined,
    startTimeoutMs: duration('--start-timeout', flags.startTimeout, 60_000),
    debug: flags.debug ?? false,
    warnings,
  };
}
