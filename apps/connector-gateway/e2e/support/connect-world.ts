import { createContractClient } from '@gatehouse/testing/contract-client';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { randomBytes, randomUUID } from 'node:crypto';
import type { TestConnector } from './manager.ts';
import { type Gateway, World } from './world.ts';

const SIGN_IN_CLIENT = 'gateway-browser';

/** A stored sign-in of the vault, without its tokens. */
export interface StoredTokens {
  subject: string;
  connector_id: string;
  provider_issuer: string;
  client_id: string;
}

/**
 * A gateway with a corporate provider, an upstream, and the provider of the upstream. The users
 * alice and bob may use the connector `files`.
 */
export class ConnectWorld {
  private constructor(
    readonly world: World,
    readonly provider: TestIssuer,
    readonly upstream: McpUpstream,
    readonly connector: TestConnector,
    readonly settings: Record<string, string>,
  ) {}

  static async start(config: Record<string, unknown> = {}): Promise<ConnectWorld> {
    const world = await World.start();
    const provider = await startIssuer();
    const upstream = await startMcpUpstream();
    const connector = world.manager.addConnector(
      {
        slug: 'files',
        name: 'Files <b>',
        endpoint: upstream.url,
        auth: { type: 'upstreamInject' },
        identity_provider: {
          id: randomUUID(),
          name: 'Provider of files',
          provider_type: 'oidc',
          registration_mode: 'dcr',
          oidc_config: { issuer_url: provider.issuer, dcr: {}, scopes: ['read'], allow_private_ips: true, ...config },
          secrets: {},
        },
      },
      ['all'],
    );
    for (const subject of ['alice', 'bob']) {
      const user = world.manager.addUser({ subject, groups: ['all'] });
      world.manager.toggle(user, connector, true);
    }
    const settings = {
      KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
      SIGN_IN_CLIENTS: JSON.stringify([{ issuer: 'local', client_id: SIGN_IN_CLIENT }]),
    };
    return new ConnectWorld(world, provider, upstream, connector, settings);
  }

  /** Lets users sign in in a browser at a gateway. */
  allowSignIn(url: string): void {
    const { clients } = this.world.issuer.authorization;
    const known = clients.find(({ clientId }) => clientId === SIGN_IN_CLIENT);
    const redirectUri = `${url}/oauth/sign-in/callback`;
    if (known === undefined) clients.push({ clientId: SIGN_IN_CLIENT, redirectUris: [redirectUri] });
    else known.redirectUris.push(redirectUri);
  }

  async gateway(more: Record<string, string> = {}): Promise<Gateway> {
    const gateway = await this.world.gateway({ ...this.settings, ...more });
    this.allowSignIn(gateway.url);
    return gateway;
  }

  /** Starts a gateway in a process of its own, which a test can kill and start again. */
  async startApart({ port, control }: { port: number; control: number }): Promise<TestProcess> {
    return startProcess({
      app: 'connector-gateway',
      env: this.world.environment({ ...this.settings, PORT: String(port), CONTROL_PORT: String(control) }),
      readyUrl: `http://127.0.0.1:${control}/readyz`,
    });
  }

  /** Requests the operation that begins or ends a connection. */
  async request(controlUrl: string, subject: string, method = 'POST', id = this.connector.id) {
    const client = createContractClient({ service: 'connector-gateway', baseUrl: controlUrl });
    return client.call<{ authorize_url: string }>(`${method} /v1/users/me/gateway/connectors/{connector_id}/connect`, {
      token: await this.world.token(subject),
      path: { connector_id: id },
    });
  }

  /** The connect page for a user. */
  async begin(controlUrl: string, subject: string): Promise<string> {
    const { status, body } = await this.request(controlUrl, subject);
    if (status !== 200) throw new Error(`the connection cannot begin: ${JSON.stringify(body)}`);
    return body.authorize_url;
  }

  /**
   * Signs a user in at the corporate provider and at that of the upstream, in a browser.
   * @param locate see Browser
   */
  signIn(subject: string, locate?: (url: string) => string): Browser {
    this.world.issuer.authorization.user = subject;
    this.provider.authorization.user = subject;
    return new Browser(locate);
  }

  /**
   * Opens the connect page, and approves.
   * @param until the address at which to stop; by default the last page
   */
  async approve(browser: Browser, link: string, until?: string) {
    const page = await browser.open(link);
    if (page.status !== 200) return page;
    return browser.submit(page.url, { csrf: hiddenField(page.html, 'csrf'), decision: 'connect' }, until);
  }

  /** Goes the whole way of a user. @returns the last page */
  async connect({ controlUrl }: Pick<Gateway, 'controlUrl'>, subject: string) {
    return this.approve(this.signIn(subject), await this.begin(controlUrl, subject));
  }

  /** The address of the callback with the response of the provider, before the browser opens it. */
  async stopAtCallback(
    { url, controlUrl }: Pick<Gateway, 'url' | 'controlUrl'>,
    subject: string,
  ): Promise<{ browser: Browser; callback: string }> {
    const browser = this.signIn(subject);
    const callback = await this.approve(browser, await this.begin(controlUrl, subject), `${url}/oauth/callback`);
    return { browser, callback: callback.url };
  }

  listTokens(): Promise<StoredTokens[]> {
    return this.world.sql(
      'SELECT subject, connector_id, provider_issuer, client_id FROM upstream_tokens ORDER BY subject',
    );
  }

  /** The audit events about connections: their outcome and their user, oldest first. */
  async listAudit(): Promise<string[]> {
    const rows = await this.world.sql<{ outcome: string; subject: string }>(
      'SELECT outcome, subject FROM audit_events ORDER BY occurred_at, id',
    );
    return rows.map(({ outcome, subject }) => `${outcome} ${subject}`);
  }

  /** The token requests that the provider received. */
  listTokenRequests(): URLSearchParams[] {
    return this.provider.authorization.requests
      .filter(({ path }) => path === '/token')
      .map(({ parameters }) => parameters);
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.provider.close();
    await this.upstream.close();
  }
}
