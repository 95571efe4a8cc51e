import { exchangeToken, TokenType } from '@gatehouse/oauth-client/exchange';
import type { RequestHeaders } from '@gatehouse/mcp/client/connection';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { readAuthSettings } from './auth-settings.ts';
import type { CredentialSource, IssuedCredential } from './credential-source.ts';
import type { ExchangeEndpoints } from './exchange-endpoints.ts';
import { chooseToken, toIssuedCredential } from './exchanged-token.ts';
import type { SubjectToken } from './subject-tokens.ts';

/** Token exchange (RFC 8693): the token of the caller for a token of the upstream. */
export class TokenExchange implements CredentialSource<string> {
  constructor(
    private readonly endpoints: Pick<ExchangeEndpoints, 'find'>,
    private readonly now: () => number,
  ) {}

  async obtain(connector: Connector, subject: SubjectToken): Promise<IssuedCredential<string>> {
    const settings = readAuthSettings(connector, 'token_exchange');
    const { token_url, client_id, audience, scopes, subject_token_type = TokenType.accessToken } = settings;
    const provider = await this.endpoints.find(connector, {
      tokenUrl: token_url,
      clientId: client_id,
      secretField: 'token_exchange.client_secret',
      isOfProvider: true,
    });
    const tokens = await exchangeToken(provider, {
      ...chooseToken(subject, subject_token_type),
      audience,
      scope: scopes?.join(' '),
      now: this.now(),
    });
    return toIssuedCredential(tokens);
  }

  createHeaders(connector: Connector, token: string): RequestHeaders {
    const { external_token_header_name: name = 'authorization' } = readAuthSettings(connector, 'token_exchange');
    return { [name]: `Bearer ${token}` };
  }
}
