import { createConfiguredFetch } from '@gatehouse/egress/configured';
import { discoverProvider } from '@gatehouse/oauth-client/discovery';
import { createProvider, type Provider, type ProviderHttp } from '@gatehouse/oauth-client/provider';

/** This gateway as a client of the corporate provider. */
export interface CorporateClient {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
}

const TIMEOUT_S = 10;

/** The metadata of the provider are read again after this time. */
const MAX_AGE_MS = 10 * 60_000;

/** Scopes for the identity, the groups and a refresh token. */
const WANTED_SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'];

/** The corporate provider at which users of MCP clients sign in. */
export class CorporateProvider {
  private known: { provider: Provider; until: number } | undefined;
  private readonly http: ProviderHttp;

  constructor(
    readonly client: CorporateClient,
    private readonly now: () => Date,
  ) {
    const fetch = createConfiguredFetch([client.issuer]);
    this.http = {
      timeoutS: TIMEOUT_S,
      allowsHttp: client.issuer.startsWith('http:'),
      fetch: (url, init) => fetch(url, init),
    };
  }

  /** @throws ProviderUnavailableError, InvalidProviderError */
  async get(): Promise<Provider> {
    const now = this.now().getTime();
    if (this.known !== undefined && this.known.until > now) return this.known.provider;
    const { issuer, clientId, clientSecret } = this.client;
    const metadata = await discoverProvider(issuer, this.http, { prefers: 'openid', requiresPkce: false });
    const provider = createProvider(metadata, { clientId, clientSecret }, this.http);
    this.known = { provider, until: now + MAX_AGE_MS };
    return provider;
  }

  /** The scopes of a sign-in: those that the provider lists. */
  async getScope(): Promise<string> {
    const { metadata } = await this.get();
    const listed = metadata.scopes_supported;
    const scopes = WANTED_SCOPES.filter((scope) => listed?.includes(scope) ?? scope !== 'groups');
    return [...new Set(['openid', ...scopes])].join(' ');
  }
}
