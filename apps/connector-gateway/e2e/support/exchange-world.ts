import { findAwsFault } from '@gatehouse/testing/aws-signature';
import { type ExchangeRules, ExchangeServer } from '@gatehouse/testing/exchange-server';
import { type Guard, type GuardedRequest, startGuard } from '@gatehouse/testing/guard';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { randomBytes, randomUUID } from 'node:crypto';
import type { TestConnector, TestUser } from './manager.ts';
import { World } from './world.ts';

/** The scope of the signatures of AWS. */
const AWS = { region: 'eu-central-1', service: 'tools' };
const ROLE = 'arn:aws:iam::123456789012:role/readers';

/** The kinds of authentication that exchange the token of the caller. */
export const EXCHANGE_KINDS = ['tokenExchange', 'obo', 'xaa', 'awsSts'] as const;
export type ExchangeKind = (typeof EXCHANGE_KINDS)[number];

/** A connector with an exchange, its provider and its guarded server. */
export interface ExchangeScene {
  connector: TestConnector;
  /** The server that takes the token of the caller. */
  provider: ExchangeServer;
  /** The server that issues the credential for the upstream. */
  issuer: ExchangeServer;
  guard: Guard;
  upstream: McpUpstream;
}

/** A gateway with connectors whose credentials are exchanged for the token of the caller. */
export class ExchangeWorld {
  readonly secret = randomBytes(16).toString('hex');
  private readonly closers: (() => Promise<unknown>)[] = [];
  private readonly users: TestUser[] = [];

  private constructor(readonly world: World) {}

  static async start(): Promise<ExchangeWorld> {
    const exchanges = new ExchangeWorld(await World.start());
    for (const subject of ['alice', 'bob']) exchanges.addUser(subject);
    return exchanges;
  }

  /** Adds a user with all connectors. */
  addUser(subject: string): void {
    const { manager } = this.world;
    const user = manager.addUser({ subject, groups: ['all'] });
    this.users.push(user);
    for (const connector of manager.connectors) manager.toggle(user, connector, true);
  }

  /** Adds a connector with an exchange and the servers that verify it. */
  async add(
    kind: ExchangeKind,
    settings: Record<string, unknown> = {},
    slug = kind.toLowerCase(),
  ): Promise<ExchangeScene> {
    const trusted = () => ({ issuer: this.world.issuer.issuer, keys: this.world.issuer.keys() });
    const provider = await this.startServer({ trusted, ...RULES[kind](this.secret) });
    const issuer =
      kind === 'xaa'
        ? await this.startServer({ trusted: () => provider.trust, audience: 'https://target.test', client: undefined })
        : provider;
    if (kind === 'xaa') issuer.rules.client = createClient('target-client', this.secret, 'client_secret_basic');
    const upstream = await startMcpUpstream();
    this.closers.push(() => upstream.close());
    const header = kind === 'tokenExchange' ? 'x-upstream-token' : 'authorization';
    const guard = await startGuard(upstream.url, (request) =>
      kind === 'awsSts' ? findSignatureFault(issuer, request) : issuer.findBearerFault(request, header),
    );
    this.closers.push(() => guard.close());
    return {
      connector: this.addConnector(kind, slug, { provider, issuer, guard }, settings),
      provider,
      issuer,
      guard,
      upstream,
    };
  }

  async close(): Promise<void> {
    await this.world.close();
    for (const close of this.closers) await close();
  }

  private async startServer(rules: ExchangeRules): Promise<ExchangeServer> {
    const server = await ExchangeServer.start(rules);
    this.closers.push(() => server.close());
    return server;
  }

  private addConnector(
    kind: ExchangeKind,
    slug: string,
    { provider, issuer, guard }: Pick<ExchangeScene, 'provider' | 'issuer' | 'guard'>,
    settings: Record<string, unknown>,
  ): TestConnector {
    const { manager } = this.world;
    const id = randomUUID();
    manager.secrets.set(id, { value: this.secret, version: 1 });
    const { block, own, secretFields } = createAuth(kind, provider, issuer);
    const connector = manager.addConnector(
      {
        slug,
        endpoint: guard.url,
        auth: {
          type: kind,
          [block]: { ...own, ...settings },
          secrets: Object.fromEntries(secretFields.map((field) => [`${block}.${field}`, { id, version: 1 }])),
        },
        identity_provider: {
          id: randomUUID(),
          name: `Provider of ${kind}`,
          provider_type: 'oidc',
          registration_mode: 'static',
          oidc_config: {
            // AWS trusts the tokens of the corporate provider.
            issuer_url: kind === 'awsSts' ? this.world.issuer.issuer : provider.origin,
            client_id: 'unused',
            allow_private_ips: true,
          },
          secrets: {},
        },
      },
      ['all'],
    );
    for (const user of this.users) manager.toggle(user, connector, true);
    return connector;
  }
}

type Client = NonNullable<ExchangeRules['client']>;
const createClient = (id: string, secret: string, method: Client['method']): Client => ({ id, secret, method });

/** The requests that the provider of each kind accepts. */
const RULES: Record<ExchangeKind, (secret: string) => Omit<ExchangeRules, 'trusted'>> = {
  tokenExchange: (secret) => ({
    client: createClient('gateway at api', secret, 'client_secret_basic'),
    audience: 'https://api.test',
    scope: 'read write',
  }),
  obo: (secret) => ({
    client: createClient('gateway-app', secret, 'client_secret_post'),
    tenant: 'tenant-1',
    scope: 'api://files/.default',
  }),
  xaa: (secret) => ({
    client: createClient('gateway-idp', secret, 'client_secret_basic'),
    audience: 'https://target.test',
    resource: 'https://files.test/mcp',
    scope: 'files.read',
    subjectTokenType: 'urn:ietf:params:oauth:token-type:id_token',
  }),
  awsSts: () => ({ client: undefined, roles: [ROLE] }),
};

/** The authentication of a connector, as the enterprise manager stores it. */
function createAuth(kind: ExchangeKind, provider: ExchangeServer, issuer: ExchangeServer) {
  switch (kind) {
    case 'tokenExchange':
      return {
        block: 'token_exchange',
        own: {
          client_id: 'gateway at api',
          audience: 'https://api.test',
          scopes: ['read', 'write'],
          external_token_header_name: 'X-Upstream-Token',
        },
        secretFields: ['client_secret'],
      };
    case 'obo':
      return {
        block: 'obo',
        own: { authority: provider.origin, tenant_id: 'tenant-1', client_id: 'gateway-app', audience: 'api://files' },
        secretFields: ['client_secret'],
      };
    case 'xaa':
      return {
        block: 'xaa',
        own: {
          idp_client_id: 'gateway-idp',
          scopes: ['files.read'],
          subject_token_type: 'id_token',
          target_audience: 'https://target.test',
          target_resource: 'https://files.test/mcp',
          target_client_id: 'target-client',
          target_token_url: `${issuer.origin}/token`,
          insecure_target_token_url: true,
        },
        secretFields: ['idp_client_secret', 'target_client_secret'],
      };
    case 'awsSts':
      return {
        block: 'aws_sts',
        own: {
          ...AWS,
          role_claim: 'groups',
          role_mappings: [{ matcher: 'read*', role_arn: ROLE }],
          session_name_claim: 'email',
          session_duration: 900,
        },
        secretFields: [],
      };
  }
}

const findSignatureFault = ({ issued }: ExchangeServer, request: GuardedRequest): string | undefined =>
  findAwsFault(request, AWS, (id) => {
    const { secretAccessKey, sessionToken } = issued.get(id) ?? {};
    return secretAccessKey === undefined || sessionToken === undefined ? undefined : { secretAccessKey, sessionToken };
  });
