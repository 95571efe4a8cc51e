import { badFlag } from './failure.ts';

/** A published container port. */
export interface PublishedPort {
  /** Port on all addresses of the host; undefined lets the engine choose a free one. */
  readonly host: number | undefined;
  readonly container: number;
}

/**
 * Reads a whole number without sign, blanks, exponent or leading zeros; undefined for anything
 * else.
 */
export function parseWhole(text: string): number | undefined {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Reads a TCP port, 1 to 65535; undefined for anything else. */
export function parsePort(text: string): number | undefined {
  const port = parseWhole(text);
  return port !== undefined && port >= 1 && port <= 65_535 ? port : undefined;
}

/**
 * Reads `--publish hostPort:containerPort`, or `containerPort` alone for a free host port. TCP
 * only.
 * @throws WorkloadFailure (usage) that names the publish spec, also when two specs take the same
 * host port.
 */
export function parsePublish(values: readonly string[]): PublishedPort[] {
  const taken = new Set<number>();
  return values.map((text) => {
    const parts = text.split(':');
    const container = parsePort(parts.at(-1) ?? '');
    const host = parts.length === 2 ? parsePort(parts[0] ?? '') : undefined;
    if (parts.length > 2 || container === undefined || (parts.length === 2 && host === undefined)) {
      throw badFlag(`--publish ${text}`, 'is not in the form hostPort:containerPort with ports from 1 to 65535');
    }
    if (host !== undefined && taken.has(host))
      throw badFlag(`--publish ${text}`, `takes host port ${host} a second time`);
    if (host !== undefined) taken.add(host);
    return { host, container };
  });
}
