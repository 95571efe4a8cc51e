import { Clock } from '@gatehouse/service-kit/clock';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { type CredentialHeaders, PersonalCredentials, type Person } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { AwsSts } from './aws-sts.ts';
import { CredentialCache } from './credential-cache.ts';
import type { CredentialSource } from './credential-source.ts';
import { CrossAppAccess } from './cross-app-access.ts';
import { ExchangedCredential } from './exchanged-credential.ts';
import { ExchangeEndpoints } from './exchange-endpoints.ts';
import { ExchangeOutcomes } from './exchange-outcomes.ts';
import { OnBehalfOf } from './on-behalf-of.ts';
import { SubjectTokens } from './subject-tokens.ts';
import { TokenExchange } from './token-exchange.ts';
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

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly subjects: SubjectTokens,
    private readonly outcomes: ExchangeOutcomes,
    endpoints: ExchangeEndpoints,
    private readonly clock: Clock,
    vault: TokenVault,
    providers: UpstreamProviders,
  ) {
    super();
    const now = () => clock.now().getTime();
    const { AWS_ENDPOINT_URL_STS: endpoint, ALLOW_LOOPBACK_UPSTREAMS: allowLoopback } = settings;
    this.openers = new Map<string, OpenCredential>([
      ['upstreamInject', createSignInOpener(vault, providers)],
      ['tokenExchange', this.createOpener(new TokenExchange(endpoints, now))],
      ['obo', this.createOpener(new OnBehalfOf(endpoints, now))],
      ['xaa', this.createOpener(new CrossAppAccess(endpoints, now))],
      ['awsSts', this.createOpener(new AwsSts({ endpoint, allowLoopback, now }))],
    ]);
  }

  override open(connector: Connector, person: Person): CredentialHeaders | undefined {
    if (connector.violation !== undefined) return undefined;
    return this.openers.get(connector.auth.type)?.(connector, person);
  }

  private createOpener<Value>(source: CredentialSource<Value>): OpenCredential {
    const { subjects, outcomes } = this;
    const cache = new CredentialCache<Value>(() => this.clock.now().getTime());
    return (connector, person) => new ExchangedCredential(connector, person, { source, cache, subjects, outcomes });
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
