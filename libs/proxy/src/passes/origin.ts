/**
 * Allows only web pages of allowed origins (MCP specification, transports: servers must validate
 * Origin). Other programs send no Origin.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';

/** Returns an origin in lower case; undefined for `null` and for values that are not an origin. */
export function normalizeOrigin(value: string): string | undefined {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(:\d{1,5})?$/i.exec(value);
  return parts === null ? undefined : value.toLowerCase();
}

/** Returns the default origins of a loopback address. */
export function listLoopbackOrigins(port: number): string[] {
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
}

/** Whether the origin is the address in the Host header, which the host pass has checked. */
export function isSameOrigin(origin: string, host: string | undefined): boolean {
  const own = (host ?? '').toLowerCase();
  return origin === `http://${own}` || origin === `https://${own}`;
}

/**
 * Refuses with 403 a request with several Origins or with one that is not allowed.
 * @param isAllowed gets the normalized Origin and the Host header
 */
export function createOriginPass(isAllowed: (origin: string, host: string | undefined) => boolean): Pass {
  return {
    name: 'origin',
    enter({ request, response }) {
      if (request.headers.origin === undefined) return 'next';
      // Node joins or drops repeated headers; only `headersDistinct` shows how many there are.
      const values = request.headersDistinct['origin'] ?? [];
      const [value] = values;
      const origin = value === undefined || values.length > 1 ? undefined : normalizeOrigin(value);
      if (origin !== undefined && isAllowed(origin, request.headers.host)) return 'next';
      refuse(response, 403, ErrorCode.invalidRequest, 'Origin not allowed');
      return 'done';
    },
  };
}
