import { flagError } from '../errors/workload-error.ts';

/** A transport of MCP that this version serves. */
export type Transport = 'stdio' | 'sse' | 'streamable-http';

/** Parses `--transport`. @throws WorkloadError (usage) for another transport */
export function parseTransport(text: string | undefined): Transport | undefined {
  if (text === undefined || text === '') return undefined;
  const known = ['stdio', 'sse', 'streamable-http'].find((name) => text === name || text === name.toUpperCase());
  if (known === undefined)
    throw flagError(`--transport ${text}`, 'is not a transport; give stdio, sse or streamable-http');
  return known as Transport;
}

/** Returns the first given flag that only applies to servers that listen on a port. */
export function findHttpOnlyFlag(given: {
  readonly stateless: boolean;
  readonly target_host?: string | undefined;
  readonly target_port?: string | number | undefined;
}): string | undefined {
  if (given.stateless) return '--stateless';
  if (given.target_host !== undefined) return '--target-host';
  return given.target_port === undefined ? undefined : '--target-port';
}
