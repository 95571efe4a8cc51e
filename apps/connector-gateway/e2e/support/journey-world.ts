import { type Dex, startDex } from '@gatehouse/testing/dex';
import { eventually } from '@gatehouse/testing/eventually';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { TestProcess } from '@gatehouse/testing/process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ProtectedUpstream } from './protected-upstream.ts';
import { createSeedUsers, requestManager, startManager } from './real-manager.ts';
import { GATEWAY_ID, World } from './world.ts';

/** The seconds by which the clock of the gateway jumps: the life of an access token and leeway. */
export const JUMP_SECONDS = 670;

const keys = () => `1:${randomBytes(32).toString('base64')}`;

/**
 * A gateway, an enterprise manager, dex as the corporate provider, and a connector `files` whose
 * upstream needs a sign-in at its own provider. Each service runs in a process of its own.
 */
export class JourneyWorld {
  readonly upstream: ProtectedUpstream;
  readonly dex: Dex;
  url = '';
  private gateway!: TestProcess;

  private constructor(
    private readonly world: World,
    private readonly database: TestDatabase,
    private readonly client: { id: string; secret: string; redirectUris: string[] },
    parts: { upstream: ProtectedUpstream; dex: Dex },
  ) {
    this.upstream = parts.upstream;
    this.dex = parts.dex;
  }

  static async start(dexProgram: string): Promise<JourneyWorld> {
    const world = await World.start();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    // The tokens of dex are for its client, so its id is the audience of the gateway.
    const client = {
      id: world.issuer.audience,
      secret: randomBytes(16).toString('hex'),
      redirectUris: [`${url}/oauth/sign-in/callback`],
    };
    const dex = await startDex(dexProgram, client, ['alice', 'bob']);
    const database = await createDatabase({ name: 'enterprise-manager-of-a-journey' });
    const upstream = await ProtectedUpstream.start();
    const journey = new JourneyWorld(world, database, client, { upstream, dex });
    await journey.startServices(String(port));
    return journey;
  }

  /** The name of the upstream's tool for clients of the gateway. */
  get tool(): string {
    return `files__${this.upstream.tool}`;
  }

  /** Sets the clock of the gateway forward, so that its access tokens expire. */
  async jump(): Promise<void> {
    const countJumps = () => this.gateway.stderr().split('the clock has jumped').length;
    const before = countJumps();
    this.gateway.signal('SIGUSR2');
    await eventually(() => countJumps() > before, 'the clock of the gateway has jumped');
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.upstream.close();
    await this.dex.stop();
    await this.database.drop();
  }

  private async startServices(port: string): Promise<void> {
    const { world, client, dex } = this;
    const { issuer } = world.issuer;
    const roles = { claim: 'roles', values: { admin: ['admin'], gateway: ['gateway'] } };
    const issuers = JSON.stringify([
      { id: 'local', issuer, roles },
      { id: 'dex', issuer: dex.issuer },
    ]);
    const managerPort = await freePort();
    const manager = `http://127.0.0.1:${managerPort}`;
    await startManager(world, this.database, managerPort, {
      ISSUERS: issuers,
      KEY_ENCRYPTION_KEYS: keys(),
      SEED_USERS: createSeedUsers(dex.issuer, (user) => dex.getSubject(user)),
    });
    await this.createConnector(manager);
    const started = await world.startApart({
      PORT: port,
      ISSUERS: issuers,
      ENTERPRISE_MANAGER_URL: manager,
      KEY_ENCRYPTION_KEYS: keys(),
      SIGN_IN_CLIENTS: JSON.stringify([{ issuer: 'dex', client_id: client.id, client_secret: client.secret }]),
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'clock-jump.mjs')}`,
      CLOCK_JUMP_SECONDS: String(JUMP_SECONDS),
    });
    this.url = `${started.url}/mcp`;
    this.gateway = started.process;
  }

  /** Creates the connector with its provider, and a policy that permits it to alice and bob. */
  private async createConnector(manager: string): Promise<void> {
    const token = await this.world.token('root', { roles: ['admin'] });
    const send = async (method: string, path: string, body?: object, headers = {}) =>
      requestManager(manager, { token, method, path, body, headers });
    const provider = await send('POST', '/v1/connector-identity-providers', {
      name: 'Provider of files',
      provider_type: 'oidc',
      oidc_config: { issuer_url: this.upstream.provider.issuer, dcr: {}, allow_private_ips: true },
    });
    const group = await send('POST', '/v1/groups', { display_name: 'Readers' });
    const users = await send('GET', '/v1/users');
    for (const { id } of users.body.items) await send('PUT', `/v1/groups/${group.body.id}/users/${id}`);
    const connector = await send('POST', `/v1/gateways/${GATEWAY_ID}/connectors`, {
      name: 'files',
      endpoint: this.upstream.url,
      transport: 'streamable-http',
      draft: false,
      allow_private_ips: true,
      auth: { type: 'upstreamInject', upstream_inject: { provider_id: provider.body.id } },
    });
    const connectorId = connector.body.id;
    const service = await this.world.issuer.token({ roles: ['gateway'] });
    for (const { id } of users.body.items)
      await requestManager(manager, {
        token: service,
        method: 'PUT',
        path: `/gateway/v1/gateways/${GATEWAY_ID}/connections/${id}/${connectorId}`,
        body: { enabled: true },
        headers: { 'if-match': '*' },
      });
    const policy = `/v1/connectors/${connectorId}/policy`;
    const { etag } = await send('GET', policy);
    await send('PUT', `${policy}/groups`, { group_ids: [group.body.id] }, { 'if-match': etag ?? '*' });
  }
}
