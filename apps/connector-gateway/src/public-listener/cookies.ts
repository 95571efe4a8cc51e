import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

/** A request of Fastify or of Node. */
export interface CookieRequest {
  readonly headers: IncomingHttpHeaders;
}

/** A cookie of the public origin. */
export interface GatewayCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
}

/**
 * The name of a cookie in the browser. Over https it has the prefix `__Host-`, so that no other
 * host can set it (RFC 6265bis, section 4.1.3.2). Over http, all ports of a host share cookies, so
 * the name contains the port.
 */
function getFullName(origin: string, name: string): string {
  const { protocol, port } = new URL(origin);
  return protocol === 'https:' ? `__Host-gatehouse-${name}` : `gatehouse-${port === '' ? '80' : port}-${name}`;
}

/** Reads a cookie. A cookie that the browser sends twice has the value of the first. */
export const readCookie = (request: CookieRequest, origin: string, name: string): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[getFullName(origin, name)];

/** The header `Set-Cookie`. Scripts and other sites cannot use the cookie, except in a link. */
export const formatCookie = (origin: string, { name, value, maxAgeSeconds }: GatewayCookie): string =>
  stringifySetCookie({
    name: getFullName(origin, name),
    value,
    maxAge: maxAgeSeconds,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: origin.startsWith('https:'),
  });

/** Sets a cookie. */
export const setCookie = (reply: FastifyReply, origin: string, cookie: GatewayCookie): void =>
  void reply.header('set-cookie', formatCookie(origin, cookie));

/** Removes a cookie. */
export const clearCookie = (reply: FastifyReply, origin: string, name: string): void =>
  setCookie(reply, origin, { name, value: '', maxAgeSeconds: 0 });
