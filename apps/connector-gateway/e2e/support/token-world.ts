import { parseKeyRing } from '@gatehouse/envelope/key-ring';
import { randomBytes, randomUUID } from 'node:crypto';
import type { TestConnector } from './manager.ts';
import { reply, type Script, scripted, type ScriptedServer } from './scripted.ts';
import { modern } from './raw.ts';
import { TokenProvider } from './token-provider.ts';
import { openVault, type VaultReplica } from './vault.ts';
import { World } from './world.ts';

/** The tool of the upstream. */
const ONLY = { name: 'only', inputSchema: { type: 'object' } };
const CLIENT_ID = 'gateway-at-provider';

/**
 * Gateways with an upstream that accepts only tokens of its own provider. The users alice and bob
 * may use the connector `own`, whose tool `only` returns the token of the call.
 */
export class TokenWorld {
  /** The credentials of all requests that the upstream received, in order. */
  readonly credentials: string[] = [];
  /** Whether the upstream answers 401 to every token. */
  refusesAll = false;
  /** The challenge of the 403 response to calls; undefined answers them. */
  callChallenge: string | undefined;
  /** The tools of the upstream for a credential. */
  createTools: (credential: string) => object[] = () => [ONLY];
  readonly keys = `1:${randomBytes(32).toString('base64')}`;
  private upstream!: ScriptedServer;
  private vault!: VaultReplica;
  connector!: TestConnector;

  private constructor(
    readonly world: World,
    readonly provider: TokenProvider,
  ) {}

  static async start(): Promise<TokenWorld> {
    const scene = new TokenWorld(await World.start(), await TokenProvider.start());
    const { world, provider } = scene;
    scene.upstream = await scene.startUpstream();
    scene.vault = await openVault(world.database.url, parseKeyRing(scene.keys));
    scene.connector = world.manager.addConnector(
      {
        slug: 'own',
        endpoint: scene.upstream.url,
        auth: { type: 'upstreamInject' },
        identity_provider: {
          id: randomUUID(),
          name: 'Provider of own',
          provider_type: 'oidc',
          registration_mode: 'static',
          oidc_config: { issuer_url: provider.issuer, client_id: CLIENT_ID, allow_private_ips: true },
          secrets: {},
        },
      },
      ['all'],
    );
    for (const subject of ['alice', 'bob']) {
      const user = world.manager.addUser({ subject, groups: ['all'] });
      world.manager.toggle(user, scene.connector, true);
    }
    return scene;
  }

  /** The settings of a gateway. */
  get settings(): Record<string, string> {
    return { KEY_ENCRYPTION_KEYS: this.keys };
  }

  /** The settings of a gateway that other replicas reach. */
  async replicaSettings(): Promise<Record<string, string>> {
    return { ...this.settings, ...(await this.world.replicaSettings()) };
  }

  /** Stores tokens of a sign-in of a user. @param lifetimeMs of the access token */
  async connect(subject: string, lifetimeMs = 3_600_000) {
    // A gateway that still knows earlier tokens must not be able to use them.
    this.provider.accepted.clear();
    const tokens = this.provider.issue();
    const owner = this.owner(subject);
    const { origin } = new URL(this.connector.endpoint);
    const sign = { providerIssuer: this.provider.issuer, clientId: CLIENT_ID, upstreamOrigin: origin };
    const accessExpiresAt = Date.now() + lifetimeMs;
    await this.vault.store.save(owner, sign, { ...tokens, scope: undefined, accessExpiresAt });
    return tokens;
  }

  /** The stored tokens of a user. */
  findTokens(subject: string) {
    return this.vault.store.find(this.owner(subject));
  }

  owner(subject: string) {
    return { issuer: this.world.issuer.issuer, subject, connectorId: this.connector.id };
  }

  /** Calls the tool of the connector. */
  async call(url: string, subject: string) {
    return modern(`${url}/mcp`, await this.world.token(subject), 'tools/call', { name: 'own__only' });
  }

  /** The result of the control plane for a user. */
  async read(controlUrl: string, subject: string, path: string) {
    const response = await fetch(`${controlUrl}/v1/users/me/gateway${path}`, {
      headers: { authorization: `Bearer ${await this.world.token(subject)}` },
    });
    return { etag: response.headers.get('etag'), text: await response.text() };
  }

  async close(): Promise<void> {
    this.provider.release();
    await this.world.close();
    await this.provider.close();
    await this.upstream.close();
    await this.vault.close();
  }

  private startUpstream(): Promise<ScriptedServer> {
    const guard =
      (script: Script): Script =>
      (message, response, request) => {
        const credential = request.headers.authorization ?? 'none';
        this.credentials.push(credential);
        if (!this.refusesAll && this.provider.accepted.has(credential.replace('Bearer ', '')))
          return script(message, response, request);
        response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
        return undefined;
      };
    return scripted({
      initialize: guard(({ id }, response) => {
        const capabilities = { tools: {} };
        reply(response, {
          id,
          result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'own', version: '1' } },
        });
      }),
      'notifications/initialized': guard((_, response) => {
        response.writeHead(202).end();
      }),
      'server/discover': guard(({ id }, response) => {
        reply(response, { id, error: { code: -32601, message: 'no' } });
      }),
      'tools/list': guard((_, __, { headers }) => ({ tools: this.createTools(headers.authorization ?? 'none') })),
      'tools/call': guard((_, response, { headers }) => {
        if (this.callChallenge === undefined) return { content: [{ type: 'text', text: headers.authorization }] };
        response.writeHead(403, { 'www-authenticate': this.callChallenge }).end();
        return undefined;
      }),
    });
  }
}
