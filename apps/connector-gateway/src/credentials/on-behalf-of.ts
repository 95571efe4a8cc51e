import { redeemAssertion } from '@gatehouse/oauth-client/exchange';
import type { RequestHeaders } from '@gatehouse/mcp/client/connection';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { readAuthSettings } from './auth-settings.ts';
import type { CredentialSource, IssuedCredential } from './credential-source.ts';
import type { ExchangeEndpoints } from './exchange-endpoints.ts';
import { toIssuedCredential } from './exchanged-token.ts';
import type { SubjectToken } from './subject-tokens.ts';

/**
 * The on-behalf-of flow of Microsoft Entra ID: the access token of the caller is an assertion (RFC
 * 7523) for a token of the upstream.
 */
export class OnBehalfOf implements CredentialSource<string> {
  constructor(
    private readonly endpoints: Pick<ExchangeEndpoints, 'find'>,
    private readonly now: () => number,
  ) {}

  async obtain(connector: Connector, { accessToken }: SubjectToken): Promise<IssuedCredential<string>> {
    const settings = readAuthSettings(connector, 'obo');
    const { authority, tenant_id, client_id, audience = '', scopes = [`${audience}/.default`], cache_skew } = settings;
    const provider = await this.endpoints.find(connector, {
      tokenUrl: `${authority.replace(/\/$/, '')}/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
      clientId: client_id,
      secretField: 'obo.client_secret',
      isOfProvider: true,
      authMethod: 'client_secret_post',
    });
    const parameters = { requested_token_use: 'on_behalf_of', scope: scopes.join(' ') };
    return toIssuedCredential(await redeemAssertion(provider, accessToken, parameters, this.now()), cache_skew);
  }

  createHeaders(_connector: Connector, token: string): RequestHeaders {
    return { authorization: `Bearer ${token}` };
  }
}
