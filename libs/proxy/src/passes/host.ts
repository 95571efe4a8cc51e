/**
 * Protects against DNS rebinding: a web page can point its own name at this machine and so reach a
 * local server under its own origin; the browser then sends that name as Host. Therefore only known
 * names are served. An IP address as Host is safe, because no such page sends one.
 */
import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';

/** Loopback names with any port: a forwarded port belongs to this machine too. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/** Whether only this machine can reach the address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address === '[::1]' || LOOPBACK.test(address);
}

/**
 * Returns the host name of this machine, its first label, and that label in `.local` (RFC 6762).
 */
export function listHostNames(): string[] {
  const name = hostname().toLowerCase();
  const first = name.split('.')[0] ?? '';
  return name === '' ? [] : [name, first, `${first}.local`];
}

/** Whether a Host header is an IP address, with or without a port. */
function isAddress(host: string): boolean {
  const [, six, four] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::\d{1,5})?$/.exec(host) ?? [];
  return six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6;
}

/**
 * Refuses with 403 a Host that is neither a loopback name nor in `names`.
 * @param names without port
 * @param anyAddress whether to serve every IP address. Other machines can know the proxy by an
 * address that it does not have itself (forwarded ports).
 */
export function createHostPass(names: readonly string[], anyAddress: boolean): Pass {
  const known = new Set(names.map((name) => name.toLowerCase()));
  // Most requests repeat the Host of the previous request.
  let lastGood: string | undefined;
  return {
    name: 'host',
    enter({ request, response }) {
      const { host = '' } = request.headers;
      if (host === lastGood) return 'next';
      const lower = host.toLowerCase();
      if (LOOPBACK.test(lower) || known.has(lower.replace(/:\d{1,5}$/, '')) || (anyAddress && isAddress(lower))) {
        lastGood = host;
        return 'next';
      }
      refuse(response, 403, ErrorCode.invalidRequest, 'Host not allowed');
      return 'done';
    },
  };
}
