import { exchangeToken, redeemAssertion, TokenType } from '@gatehouse/oauth-client/exchange';
import type { RequestHeaders } from '@gatehouse/mcp/client/connection';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { type AuthSettings, readAuthSettings } from './auth-settings.ts';
import type { CredentialSource, IssuedCredential } from './credential-source.ts';
import type { ExchangeEndpoints } from './exchange-endpoints.ts';
import { chooseToken, toIssuedCredential } from './exchanged-token.ts';
import type { SubjectToken } from './subject-tokens.ts';

/**
 * Cross-application access (MCP Enterprise-Managed Authorization, SEP-990): the identity provider
 * issues an assertion about the caller (ID-JAG), and the authorization server of the upstream
 * issues a token for it. The caller's token goes to the identity provider only.
 */
export class CrossAppAccess implements CredentialSource<string> {
  constructor(
    private readonly endpoints: Pick<ExchangeEndpoints, 'find'>,
    private readonly now: () => number,
  ) {}

  async obtain(connector: Connector, subject: SubjectToken): Promise<IssuedCredential<string>> {
    const settings = readAuthSettings(connector, 'xaa');
    const assertion = await this.requestAssertion(connector, settings, subject);
    const target = await this.endpoints.find(connector, {
      tokenUrl: settings.target_token_url,
      isInsecure: settings.insecure_target_token_url,
      clientId: settings.target_client_id,
      secretField: 'xaa.target_client_secret',
      isOfProvider: false,
    });
    return toIssuedCredential(await redeemAssertion(target, assertion, {}, this.now()));
  }

  createHeaders(_connector: Connector, token: string): RequestHeaders {
    return { authorization: `Bearer ${token}` };
  }

  private async requestAssertion(
    connector: Connector,
    settings: AuthSettings<'xaa'>,
    subject: SubjectToken,
  ): Promise<string> {
    const { idp_token_url, idp_client_id, target_audience, target_resource, scopes } = settings;
    const provider = await this.endpoints.find(connector, {
      tokenUrl: idp_token_url,
      clientId: idp_client_id,
      secretField: 'xaa.idp_client_secret',
      isOfProvider: true,
    });
    const type =
      settings.subject_token_type ?? (subject.idToken === undefined ? TokenType.accessToken : TokenType.idToken);
    const { accessToken } = await exchangeToken(provider, {
      ...chooseToken(subject, type),
      requestedTokenType: TokenType.identityAssertion,
      audience: target_audience,
      resource: target_resource,
      scope: scopes?.join(' '),
      now: this.now(),
    });
    return accessToken;
  }
}
