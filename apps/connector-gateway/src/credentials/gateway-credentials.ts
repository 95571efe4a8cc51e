import { Injectable } from '@nestjs/common';
import { type CredentialHeaders, PersonalCredentials, type Person } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';

/** Opens the credential of one authentication. */
type OpenCredential = (connector: Connector, person: Person) => CredentialHeaders;

/** The credentials of persons, by the authentication of the connector. */
@Injectable()
export class GatewayCredentials extends PersonalCredentials {
  private readonly openers: ReadonlyMap<Connector['auth']['type'], OpenCredential> = new Map();

  override open(connector: Connector, person: Person): CredentialHeaders | undefined {
    return this.openers.get(connector.auth.type)?.(connector, person);
  }
}
