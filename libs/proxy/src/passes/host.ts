/**
 * DNS rebinding: a page that makes its own name point at 127.0.0.1 reaches a local server without crossing an origin, and its
 * browser sends that name as Host. On a loopback address only loopback names are served.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../exchange.ts';
import type { Pass } from '../passes.ts';

/** Any port is fine: a forwarded port is still this machine. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/** True for addresses that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address === '[::1]' || LOOPBACK.test(address);
}

/** Refuses a Host that is neither a loopback name nor in `allowed` (names without port) with 403. */
export function hostPass(allowed: readonly string[]): Pass {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  // Clients send the same few values again and again.
  let lastGood: string | undefined;
  return {
    name: 'host',
    enter({ request, response }) {
      const { host = '' } = request.headers;
      if (host === lastGood) return 'next';
      const lower = host.toLowerCase();
      if (LOOPBACK.test(lower) || names.has(lower.replace(/:\d{1,5}$/, ''))) {
        lastGood = host;
        return 'next';
      }
      refuse(response, 403, ErrorCode.invalidRequest, 'Host not allowed');
      return 'done';
    },
  };
}
