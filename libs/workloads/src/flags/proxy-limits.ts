import { flagError } from '../errors/workload-error.ts';
import { parseDuration } from './duration.ts';
import { parseWhole } from './ports.ts';

/** The flags of the limits of requests and sessions as typed. */
export interface ProxyLimitFlags {
  readonly maxRequestBodySize?: string | undefined;
  readonly proxyReadTimeout?: string | undefined;
  readonly sessionTtl?: string | undefined;
  readonly requestTimeout?: string | undefined;
}

/** The limits of requests and sessions at the proxy. */
export interface ProxyLimits {
  readonly maxRequestBodyBytes: number;
  readonly proxyReadTimeoutMs: number;
  readonly sessionTtlMs: number;
  /** Undefined: 10 minutes, without a limit for a request that asks for progress. */
  readonly requestTimeoutMs: number | undefined;
}

/** Parses the limits of requests and sessions. @throws WorkloadError (usage) */
export const parseProxyLimits = (flags: ProxyLimitFlags): ProxyLimits => ({
  maxRequestBodyBytes: parseBodySize(flags.maxRequestBodySize),
  proxyReadTimeoutMs: parseDuration('--proxy-read-timeout', flags.proxyReadTimeout, 30_000),
  sessionTtlMs: parseDuration('--session-ttl', flags.sessionTtl, 2 * 3_600_000),
  requestTimeoutMs: parseDuration('--request-timeout', flags.requestTimeout, 0) || undefined,
});

function parseBodySize(text: string | undefined): number {
  const eightMebibytes = 8 * 1024 * 1024;
  if (text === undefined) return eightMebibytes;
  if (/^-[0-9]+$/.test(text)) throw flagError(`--max-request-body-size ${text}`, 'is negative');
  const value = parseWhole(text);
  if (value === undefined) throw flagError(`--max-request-body-size ${text}`, 'is not a whole number of bytes');
  return value === 0 ? eightMebibytes : value;
}
