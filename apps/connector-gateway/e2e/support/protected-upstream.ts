import { type Guard, type GuardedRequest, startGuard } from '@gatehouse/testing/guard';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { decodeJwt } from 'jose';

/** A call of a tool that the upstream accepted. */
export interface SeenCall {
  /** The user at the provider of the upstream. */
  subject: string;
  token: string;
  text: string;
}

/**
 * An MCP server that accepts only living access tokens of its own provider, for itself. It names
 * the provider in its metadata (RFC 9728).
 */
export class ProtectedUpstream {
  readonly seen: SeenCall[] = [];
  private guard!: Guard;

  private constructor(
    readonly provider: TestIssuer,
    private readonly server: McpUpstream,
  ) {}

  static async start(): Promise<ProtectedUpstream> {
    const upstream = new ProtectedUpstream(await startIssuer(), await startMcpUpstream());
    const describe = () => ({
      resource: upstream.url,
      authorization_servers: [upstream.provider.issuer],
      scopes_supported: ['read'],
    });
    upstream.guard = await startGuard(upstream.server.url, (request) => upstream.findFault(request), describe);
    return upstream;
  }

  get url(): string {
    return this.guard.url;
  }

  /** The tool that returns its argument `text`. */
  get tool(): string {
    return this.server.tools.echo;
  }

  /** The refreshes of a user's tokens that the provider granted or refused, so far. */
  countRefreshes(): number {
    const { requests } = this.provider.authorization;
    return requests.filter(({ parameters }) => parameters.get('grant_type') === 'refresh_token').length;
  }

  async close(): Promise<void> {
    await this.guard.close();
    await this.server.close();
    await this.provider.close();
  }

  private findFault({ headers, body }: GuardedRequest): string | undefined {
    const token = headers['authorization']?.replace('Bearer ', '') ?? '';
    const grant = this.provider.authorization.findGrant(token);
    if (grant?.resource !== this.url) return 'the token is not a living one for this server';
    if ((decodeJwt(token).exp ?? 0) * 1000 <= Date.now()) return 'the token has expired';
    const text = /"text":"([^"]*)"/.exec(body)?.[1];
    if (body.includes('"tools/call"') && text !== undefined) this.seen.push({ subject: grant.subject, token, text });
    return undefined;
  }
}
