import { createContractClient } from '@gatehouse/testing/contract-client';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { type GuardedRequest, startGuard } from '@gatehouse/testing/guard';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { freePorts } from '@gatehouse/testing/ports';
import { randomBytes, randomUUID } from 'node:crypto';
import { EXCHANGE_KINDS, type ExchangeScene, ExchangeWorld } from './exchange-world.ts';
import type { TestConnector } from './manager.ts';
import type { Gateway } from './world.ts';

/** The types of authentication of connectors. */
export const AUTH_TYPES = ['none', 'bearerToken', 'headerInjection', 'upstreamInject', ...EXCHANGE_KINDS] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

/** The user of all connectors. */
export const PERSON = 'carol';

const SIGN_IN_CLIENT = { client_id: 'gateway-pages', client_secret: 'secret-of-the-gateway' };

/** A connector of one type, with a server that verifies what it receives. */
export type AuthScene = Pick<ExchangeScene, 'connector' | 'guard' | 'upstream'>;

/** One gateway with a connector of each type, all for one user. */
export class AuthTypesWorld {
  readonly scenes = new Map<AuthType, AuthScene>();
  readonly exchanged = new Map<AuthType, ExchangeScene>();
  private readonly closers: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly exchanges: ExchangeWorld,
    /** The provider of the connector with a sign-in of the user. */
    readonly provider: TestIssuer,
    readonly secrets: Readonly<Record<'bearerToken' | 'headerInjection', string>>,
  ) {}

  static async start(): Promise<AuthTypesWorld> {
    const createSecret = () => randomBytes(16).toString('hex');
    const secrets = { bearerToken: createSecret(), headerInjection: createSecret() };
    const world = new AuthTypesWorld(await ExchangeWorld.start(), await startIssuer(), secrets);
    await world.addConnectors();
    world.exchanges.addUser(PERSON);
    return world;
  }

  /** Starts the gateway, also with an authorization server for MCP clients. */
  async gateway(): Promise<Gateway> {
    const { world } = this.exchanges;
    const [port] = await freePorts(1);
    const publicUrl = `http://127.0.0.1:${port}`;
    const { client_id: clientId, client_secret: clientSecret } = SIGN_IN_CLIENT;
    const redirectUris = [`${publicUrl}/oauth/sign-in/callback`];
    world.issuer.authorization.clients.push({ clientId, clientSecret, redirectUris });
    world.issuer.authorization.user = PERSON;
    this.provider.authorization.user = PERSON;
    return world.gateway({
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
      SIGN_IN_CLIENTS: JSON.stringify([{ issuer: 'local', ...SIGN_IN_CLIENT }]),
      AWS_ENDPOINT_URL_STS: this.exchanged.get('awsSts')!.provider.origin,
    });
  }

  /** Connects the connector with a sign-in of the user, in a browser. */
  async connect({ controlUrl }: Gateway, token: string): Promise<void> {
    const api = createContractClient({ service: 'connector-gateway', baseUrl: controlUrl });
    const { body } = await api.call<{ authorize_url: string }>(
      'POST /v1/users/me/gateway/connectors/{connector_id}/connect',
      { token, path: { connector_id: this.scenes.get('upstreamInject')!.connector.id } },
    );
    const browser = new Browser();
    const page = await browser.open(body.authorize_url);
    const end = await browser.submit(page.url, { csrf: hiddenField(page.html, 'csrf'), decision: 'connect' });
    if (end.status !== 200) throw new Error(`the connector was not connected: ${end.html}`);
    // The request for the metadata of the server had no token.
    const { guard } = this.scenes.get('upstreamInject')!;
    guard.requests.length = 0;
    guard.faults.length = 0;
  }

  /** The credentials that the server of a connector may see. */
  listCredentials(type: AuthType): string[] {
    if (type === 'none') return [];
    if (type === 'bearerToken' || type === 'headerInjection') return [this.secrets[type]];
    if (type === 'upstreamInject')
      return this.scenes.get(type)!.guard.requests.map(({ headers }) => readBearer(headers) ?? '');
    const { issued } = this.exchanged.get(type)!.issuer;
    return [...issued].flatMap(([id, { sessionToken }]) => [id, ...(sessionToken === undefined ? [] : [sessionToken])]);
  }

  async close(): Promise<void> {
    await this.exchanges.close();
    for (const close of this.closers) await close();
  }

  private async addConnectors(): Promise<void> {
    const { bearerToken, headerInjection } = this.secrets;
    await this.add('none', { type: 'none' }, ({ authorization }) => authorization !== undefined);
    await this.add(
      'bearerToken',
      { type: 'bearerToken', secrets: { 'bearer_token.token': this.store(bearerToken) } },
      ({ authorization }) => authorization !== `Bearer ${bearerToken}`,
    );
    await this.add(
      'headerInjection',
      {
        type: 'headerInjection',
        header_injection: { header_name: 'X-Api-Key' },
        secrets: { 'header_injection.value': this.store(headerInjection) },
      },
      (headers) => headers['x-api-key'] !== headerInjection || headers['authorization'] !== undefined,
    );
    const { authorization, issuer } = this.provider;
    await this.add(
      'upstreamInject',
      { type: 'upstreamInject' },
      (headers) => authorization.findGrant(readBearer(headers) ?? '')?.subject !== PERSON,
      {
        id: randomUUID(),
        name: 'Provider of the upstream',
        provider_type: 'oidc',
        registration_mode: 'dcr',
        oidc_config: { issuer_url: issuer, dcr: {}, allow_private_ips: true },
        secrets: {},
      },
    );
    this.closers.push(() => this.provider.close());
    for (const kind of EXCHANGE_KINDS) {
      const scene = await this.exchanges.add(kind);
      this.scenes.set(kind, scene);
      this.exchanged.set(kind, scene);
    }
  }

  private async add(
    type: AuthType,
    auth: TestConnector['auth'],
    isFaulty: (headers: GuardedRequest['headers']) => boolean,
    provider?: TestConnector['identity_provider'],
  ): Promise<void> {
    const upstream = await startMcpUpstream();
    const guard = await startGuard(upstream.url, ({ headers }) =>
      isFaulty(headers) ? 'another credential' : undefined,
    );
    this.closers.push(
      () => guard.close(),
      () => upstream.close(),
    );
    const connector = this.exchanges.world.manager.addConnector(
      {
        slug: type.toLowerCase(),
        endpoint: guard.url,
        auth,
        ...(provider !== undefined && { identity_provider: provider }),
      },
      ['all'],
    );
    this.scenes.set(type, { connector, guard, upstream });
  }

  private store(value: string): { id: string; version: number } {
    const id = randomUUID();
    this.exchanges.world.manager.secrets.set(id, { value, version: 1 });
    return { id, version: 1 };
  }
}

const readBearer = ({ authorization }: GuardedRequest['headers']): string | undefined =>
  /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
