/**
 * DNS rebinding: a page that makes its own name point at an address of this machine reaches a local
 * server without crossing an origin, and its browser sends that name as Host. Names are therefore
 * served only when they are known. An IP address as Host is safe: a page under an attacker's name
 * never sends one.
 */
import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';

/** Any port is fine: a forwarded port is still this machine. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/** True for addresses that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address === '[::1]' || LOOPBACK.test(address);
}

/**
 * The names of this machine: its host name, the first part of it, and that part in `.local` (RFC
 * 6762).
 */
export function ownHostNames(): string[] {
  const name = hostname().toLowerCase();
  const first = name.split('.')[0] ?? '';
  return name === '' ? [] : [name, first, `${first}.local`];
}

/** True for an IP address as the Host header writes it, with or without a port. */
function isAddress(host: string): boolean {
  const [, six, four] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::\d{1,5})?$/.exec(host) ?? [];
  return six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6;
}

/**
 * Refuses with 403 a Host that is neither a loopback name nor in `names`.
 * @param names without port
 * @param anyAddress serve every IP address too: for a proxy that other machines reach, which is
 * known by more addresses than it has itself (forwarded ports)
 */
export function hostPass(names: readonly string[], anyAddress: boolean): Pass {
  const known = new Set(names.map((name) => name.toLowerCase()));
  // Clients send the same few values again and again.
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
