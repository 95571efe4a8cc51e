import { flagError } from '../errors/workload-error.ts';

/** A published container port. */
export interface PublishedPort {
  /** Port on all addresses of the host; undefined lets the engine choose a free one. */
  readonly host: number | undefined;
  readonly container: number;
}

/** Parses a whole number in plain digits without leading zeros; undefined for all other text. */
export function parseWhole(text: string): number | undefined {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Whether containers in a network mode have their own ports, which can be published. */
export function canPublishPorts(networkMode: string): boolean {
  return networkMode !== 'host' && networkMode !== 'none' && !networkMode.startsWith('container:');
}

/** Parses a TCP port, 1 to 65535; undefined for all other text. */
export function parsePort(text: string): number | undefined {
  const port = parseWhole(text);
  return port !== undefined && port >= 1 && port <= 65_535 ? port : undefined;
}

/**
 * Parses `--publish hostPort:containerPort`, or only `containerPort` for a free host port. TCP
 * only.
 * @throws WorkloadError (usage) for an invalid value or a host port that is given twice.
 */
export function parsePublish(values: readonly string[]): PublishedPort[] {
  const taken = new Set<number>();
  return values.map((text) => {
    const parts = text.split(':');
    const container = parsePort(parts.at(-1) ?? '');
    const host = parts.length === 2 ? parsePort(parts[0] ?? '') : undefined;
    if (parts.length > 2 || container === undefined || (parts.length === 2 && host === undefined)) {
      throw flagError(`--publish ${text}`, 'is not in the form hostPort:containerPort with ports from 1 to 65535');
    }
    if (host !== undefined && taken.has(host))
      throw flagError(`--publish ${text}`, `uses host port ${host}, which another --publish uses already`);
    if (host !== undefined) taken.add(host);
    return { host, container };
  });
}

/** Parses a flag with a TCP port; 0 chooses none. @throws WorkloadError (usage) for other text */
export function parsePortFlag(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = parseWhole(text);
  if (value === undefined || value > 65_535)
    throw flagError(`${flag} ${text}`, 'is not a port; give a number from 1 to 65535');
  return value === 0 ? undefined : value;
}
