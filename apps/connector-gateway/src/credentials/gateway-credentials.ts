import { Injectable } from '@nestjs/common';
import { type CredentialHeaders, PersonalCredentials, type Person } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { UpstreamProviders } from '../providers/upstream-providers.ts';
import { getUpstreamOrigin } from '../vault/token-owner.ts';
import { TokenVault } from '../vault/token-vault.ts';
import { VaultCredential } from '../vault/vault-credential.ts';

/** Opens the credential of one authentication. */
type OpenCredential = (connector: Connector, person: Person) => CredentialHeaders;

/** The credentials of persons, by the authentication of the connector. */
@Injectable()
export class GatewayCredentials extends PersonalCredentials {
  private readonly openers: ReadonlyMap<Connector['auth']['type'], OpenCredential>;

  constructor(vault: TokenVault, providers: UpstreamProviders) {
    super();
    this.openers = new Map([['upstreamInject', createSignInOpener(vault, providers)]]);
  }

  override open(connector: Connector, person: Person): CredentialHeaders | undefined {
    if (connector.violation !== undefined) return undefined;
    return this.openers.get(connector.auth.type)?.(connector, person);
  }
}

/** The person's own sign-in at the provider of the connector. */
const createSignInOpener =
  (vault: TokenVault, providers: UpstreamProviders): OpenCredential =>
  (connector, { issuer, subject }) =>
    new VaultCredential(vault, {
      owner: { issuer, subject, connectorId: connector.id },
      upstreamOrigin: getUpstreamOrigin(connector),
      openClient: () => providers.get(connector),
    });
