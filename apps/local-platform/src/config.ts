import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MAX_OFFSET, MIN_OFFSET, portsAt, unreachablePort } from './ports.ts';

/** Default home of the platform and of the command line in this repository. */
export const DEFAULT_HOME = fileURLToPath(new URL('../../../.gatehouse', import.meta.url));

/** The options of a start. */
export interface PlatformConfig {
  /** Absolute path of the home folder. */
  home: string;
  portOffset: number;
  /** Prints one JSON line on stdout when the platform is ready. */
  json: boolean;
  /** Runs a demonstration: a model provider, and resources for it. */
  demo: boolean;
  /** Whether npm is the parent; the platform then ends with npm. */
  underNpm: boolean;
}

/** An invalid flag or variable. */
export class UsageError extends GatehouseError {
  override readonly code = 'usage';
}

/** Text of `--help`. */
export const USAGE = `Usage: npm start --silent -- [--json] [--demo]

Starts the whole platform in the foreground; Ctrl-C stops it.

  --json                  print one JSON line on stdout when everything is ready
  --demo                  add a model provider that repeats messages, and an AI policy that grants all models to all
                          users
  GATEHOUSE_HOME          folder of all data (default: .gatehouse in the repository)
  GATEHOUSE_PORT_OFFSET   added to every default port (default: 0)
  GATEHOUSE_KUBECONFIG    kubeconfig of a cluster for the AIGateway and the AIPolicies (default: YAML files in the home)
  GATEHOUSE_NAMESPACE     namespace of these resources (default: gatehouse)
  CLIENT_METADATA_DOCUMENTS
                          false without access to the internet, so that MCP clients register themselves
`;

/** Reads flags and environment. @returns `help` for `--help` */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv = process.env): PlatformConfig | 'help' {
  const flags = parseFlags(args);
  if (flags.help) return 'help';
  if (env['NODE_ENV'] === 'production') {
    throw new UsageError(
      'The local platform does not run with NODE_ENV=production: it signs users in with passwords from a file. Unset NODE_ENV, or deploy the services separately.',
    );
  }
  return {
    home: resolve(env['GATEHOUSE_HOME'] ?? DEFAULT_HOME),
    portOffset: portOffset(env['GATEHOUSE_PORT_OFFSET'] ?? '0'),
    json: flags.json ?? false,
    demo: flags.demo ?? false,
    underNpm: env['npm_lifecycle_event'] !== undefined,
  };
}

/**
 * Returns the variables that programs need on this machine, and no other setting of a service. An
 * empty variable counts as unset. Programs have another working folder than the supervisor.
 */
export function inheritedEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'SystemRoot', 'XDG_RUNTIME_DIR'];
  const forwarded = [
    ...names,
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'GATEHOUSE_KUBECONFIG',
    'GATEHOUSE_NAMESPACE',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'CLIENT_METADATA_DOCUMENTS',
    'NODE_COMPILE_CACHE',
  ];
  const present = Object.fromEntries(forwarded.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const { GATEHOUSE_KUBECONFIG: kubeconfig } = present;
  return { ...present, ...(kubeconfig !== undefined && { GATEHOUSE_KUBECONFIG: resolve(kubeconfig) }) };
}

function parseFlags(args: readonly string[]): Partial<Record<'json' | 'demo' | 'help', boolean | undefined>> {
  try {
    const options = {
      json: { type: 'boolean' },
      demo: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : String(cause)}\n\n${USAGE}`, { cause });
  }
}

function portOffset(text: string): number {
  const offset = Number(text);
  if (!/^-?\d{1,5}$/.test(text) || offset < MIN_OFFSET || offset > MAX_OFFSET) {
    throw new UsageError(
      `GATEHOUSE_PORT_OFFSET must be a whole number from ${MIN_OFFSET} to ${MAX_OFFSET}, not ${JSON.stringify(text)}.`,
    );
  }
  const unreachable = unreachablePort(portsAt(offset));
  if (unreachable !== undefined) {
    throw new UsageError(
      `GATEHOUSE_PORT_OFFSET=${text} results in port ${unreachable}, which browsers block: choose another offset.`,
    );
  }
  return offset;
}
