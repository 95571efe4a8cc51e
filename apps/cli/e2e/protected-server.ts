import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestIssuer, startIssuer } from '@gatehouse/testing/issuer';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';

/** An MCP server that accepts only tokens of its issuer, which its metadata name (RFC 9728). */
export class ProtectedServer {
  /** The Authorization headers of the requests in their order. */
  readonly seen: (string | undefined)[] = [];
  /** Calls of tools need it, if their token has not. */
  demandedScope: string | undefined;
  readonly #refused = new Set<string>();
  readonly #server: Server;

  private constructor(
    readonly issuer: TestIssuer,
    readonly upstream: McpUpstream,
  ) {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<ProtectedServer> {
    const server = new ProtectedServer(await startIssuer(), await startMcpUpstream());
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** The requests of the issuer for tokens with this grant. */
  countGrants(type: string): number {
    return this.issuer.authorization.requests.filter(
      ({ path, parameters }) => path === '/token' && parameters.get('grant_type') === type,
    ).length;
  }

  /** Refuses the tokens that were used so far, which the issuer still knows. */
  refuseUsedTokens(): void {
    for (const value of this.seen) this.#refused.add(value ?? '');
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.upstream.close();
    await this.issuer.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const metadata = `/.well-known/oauth-protected-resource/mcp`;
    if (request.url === metadata) {
      const document = { resource: this.url, authorization_servers: [this.issuer.issuer], scopes_supported: ['tools'] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      return;
    }
    const { authorization } = request.headers;
    this.seen.push(authorization);
    const grant = this.issuer.authorization.findGrant(authorization?.replace(/^Bearer /, '') ?? '');
    if (grant?.resource !== this.url || this.#refused.has(authorization ?? '')) {
      const challenge = `Bearer resource_metadata="${this.origin}${metadata}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    const body = await buffer(request);
    const demanded = this.demandedScope;
    if (demanded !== undefined && body.includes('"tools/') && !grant.scope.split(' ').includes(demanded)) {
      const challenge = `Bearer error="insufficient_scope", scope="${demanded}"`;
      response.writeHead(403, { 'www-authenticate': challenge }).end('{}');
      return;
    }
    const { method, headers } = request;
    const forwarded = send(this.upstream.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    forwarded.end(body);
  }
}
