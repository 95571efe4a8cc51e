/**
 * Only pages of allowed origins may call (MCP specification, transports: servers must validate
 * Origin). Programs send none.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';

/**
 * An origin as browsers write it, scheme and host in lower case; undefined for `null`, credentials,
 * paths and nonsense.
 */
export function normalOrigin(value: string): string | undefined {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(:\d{1,5})?$/i.exec(value);
  return parts === null ? undefined : value.toLowerCase();
}

/** What is allowed on a loopback address when nothing else is said. */
export function loopbackOrigins(port: number): string[] {
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
}

/**
 * True for the origin of the address that the request itself was sent to. The host pass has checked
 * that address.
 */
export function isSameOrigin(origin: string, host: string | undefined): boolean {
  const own = (host ?? '').toLowerCase();
  return origin === `http://${own}` || origin === `https://${own}`;
}

/**
 * Refuses with 403 a request whose Origin is not allowed, or that has several.
 * @param isAllowed is asked with the normal form of the Origin and the Host header
 */
export function originPass(isAllowed: (origin: string, host: string | undefined) => boolean): Pass {
  return {
    name: 'origin',
    enter({ request, response }) {
      if (request.headers.origin === undefined) return 'next';
      // Node joins or drops repeated headers: only the distinct values say how many there were.
      const values = request.headersDistinct['origin'] ?? [];
      const [value] = values;
      const origin = value === undefined || values.length > 1 ? undefined : normalOrigin(value);
      if (origin !== undefined && isAllowed(origin, request.headers.host)) return 'next';
      refuse(response, 403, ErrorCode.invalidRequest, 'Origin not allowed');
      return 'done';
    },
  };
}
