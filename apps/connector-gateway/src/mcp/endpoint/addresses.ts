import { RESOURCE_METADATA_PATH } from '@gatehouse/auth/resource-metadata-url';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointScope } from '../catalog/offers.ts';
import { createPathNotFoundRefusal, HttpRefusalError } from '../http/http-refusal.ts';

/** Addresses, issuers and origins of the endpoint. */
export interface AddressOptions {
  /** Address under which clients reach the gateway, without a trailing slash. */
  publicUrl: () => string;
  /** Issuers whose tokens are accepted, for the resource metadata. */
  issuers: () => readonly string[];
  /** Allowed values of the Host header besides the name of the public address; `*` allows all. */
  allowedHosts: readonly string[];
  /** Allowed values of the Origin header. Clients other than web pages send no Origin. */
  allowedOrigins: ReadonlySet<string>;
}

const ENDPOINT = /^\/mcp(?:\/([a-z0-9-]{1,64}))?$/;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The addresses of the endpoint: its paths, and the hosts and origins that may use them. */
export class Addresses {
  private checked: { publicUrl: string; origin: string; hosts: ReadonlySet<string> } | undefined;

  constructor(private readonly options: AddressOptions) {}

  /** Refuses foreign web pages and rebound DNS names. @throws HttpRefusalError 403 */
  check(request: IncomingMessage): void {
    if (!this.isOwnHost(request)) throw new HttpRefusalError(403, -32600, 'the Host header names a foreign host');
    if (request.headers.origin === undefined) return;
    const { origin: ownOrigin } = this.readPublicUrl();
    const origins = request.headersDistinct['origin'] ?? [];
    if (
      origins.length > 1 ||
      !origins.every((origin) => this.options.allowedOrigins.has(origin) || origin === ownOrigin)
    ) {
      throw new HttpRefusalError(403, -32600, 'requests of this origin are not allowed');
    }
  }

  /** Whether the Host header names this gateway, and not a rebound DNS name. */
  isOwnHost(request: IncomingMessage): boolean {
    const { hosts } = this.readPublicUrl();
    const { host } = request.headers;
    const name = host !== undefined && hosts.has(host) ? host : parseHostname(host);
    return name !== undefined && (hosts.has('*') || hosts.has(name));
  }

  /**
   * The connector of an endpoint path, undefined for all, and the mode of its query.
   * @throws HttpRefusalError 404 for another path, 400 for an unknown mode
   */
  readScope(path: string, query: string | undefined): EndpointScope {
    const match = ENDPOINT.exec(path);
    if (match === null) throw createPathNotFoundRefusal();
    return { slug: match[1], mode: query === undefined ? undefined : readMode(query) };
  }

  /** The protected resource of a path: the `resource` of its metadata and an accepted audience. */
  getResource(path: string): string {
    return `${this.options.publicUrl()}${path}`;
  }

  /** Serves the metadata of a protected resource (RFC 9728). Returns false for any other path. */
  serveMetadata(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    if (!path.startsWith(RESOURCE_METADATA_PATH)) return false;
    // After the well-known prefix: the path of the public address, then the path of the resource
    // (RFC 9728 §3.1).
    const suffix = path.slice(RESOURCE_METADATA_PATH.length);
    const prefix = new URL(this.options.publicUrl()).pathname.replace(/\/$/, '');
    const own = suffix.startsWith(`${prefix}/`) || suffix === prefix ? suffix.slice(prefix.length) : suffix;
    if (request.method !== 'GET') throw new HttpRefusalError(405, -32601, 'only GET is served here', { allow: 'GET' });
    if (own !== '' && !ENDPOINT.test(own)) throw createPathNotFoundRefusal();
    const body = JSON.stringify({
      resource: this.getResource(own === '' ? '/mcp' : own),
      authorization_servers: this.options.issuers(),
      bearer_methods_supported: ['header'],
      resource_name: 'Gatehouse connector gateway',
    });
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
      })
      .end(body);
    return true;
  }

  /** Origin and host names of the public address, parsed again only after it changed. */
  private readPublicUrl() {
    const publicUrl = this.options.publicUrl();
    if (this.checked?.publicUrl !== publicUrl) {
      const { origin, hostname } = new URL(publicUrl);
      // All loopback names lead to the same machine.
      const own = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
      this.checked = { publicUrl, origin, hosts: new Set([...this.options.allowedHosts, ...own]) };
    }
    return this.checked;
  }
}

/** The mode of a query. @throws HttpRefusalError 400 */
function readMode(query: string): 'search' | undefined {
  const modes = new URLSearchParams(query).getAll('mode');
  if (modes.length === 0) return undefined;
  if (modes.length === 1 && modes[0] === 'search') return 'search';
  throw new HttpRefusalError(400, -32600, 'the query parameter mode must be search, once, or be left out');
}

function parseHostname(host: string | undefined): string | undefined {
  if (host === undefined || !/^[A-Za-z0-9.:[\]_-]+$/.test(host)) return undefined;
  const url = URL.parse(`http://${host}`);
  return url?.hostname;
}
