import { randomUUID } from 'node:crypto';
import type { ConnectWorld } from './connect-world.ts';
import type { ScenarioServer } from './client-scenarios.ts';
import type { TestConnector } from './manager.ts';
import { modern } from './raw.ts';
import { eventually, type Gateway } from './world.ts';

/** Most links that the person opens for one call. */
const MAX_LINKS = 5;

/** The tool of the servers of the scenarios. */
const TOOL = 'test-tool';

/** The metadata document of a protected server (RFC 9728). */
interface ResourceDocument {
  authorization_servers: string[];
}

/**
 * Reads the authorization server of an MCP server, as an administrator does who sets up a
 * connector. A server without a document is its own one, as in revision 2025-03-26.
 */
export async function findIssuer(serverUrl: string): Promise<string> {
  const refused = await fetch(serverUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const { origin, pathname } = new URL(serverUrl);
  const named = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  for (const address of named === undefined ? [`${wellKnown}${pathname}`, wellKnown] : [named]) {
    const response = await fetch(address);
    if (response.ok) return ((await response.json()) as ResourceDocument).authorization_servers[0] ?? origin;
  }
  return origin;
}

/** The identity provider of a connector, as an administrator configures it. */
type Provider = NonNullable<TestConnector['identity_provider']>;

/** Creates a provider that is found by discovery. */
export const createDiscoveredProvider = (issuer: string, client: Record<string, unknown> = { dcr: {} }): Provider => ({
  id: randomUUID(),
  name: 'Provider of the scenario',
  provider_type: 'oidc',
  registration_mode: 'dcr',
  oidc_config: { issuer_url: issuer, allow_private_ips: true, ...client },
  secrets: {},
});

/** The user alice at a gateway. She calls the tool of a scenario and opens each link she gets. */
export class ScenarioPerson {
  /** @param origin the address of the gateway for browsers, if it is not the one that it has */
  constructor(
    private readonly scene: ConnectWorld,
    private readonly gateway: Gateway,
    private readonly origin = gateway.url,
  ) {}

  /** Adds a connector for the server of a scenario. */
  async addConnector(
    { serverUrl }: Pick<ScenarioServer, 'serverUrl'>,
    provider: Provider,
    auth: TestConnector['auth'] = { type: 'upstreamInject' },
  ): Promise<TestConnector> {
    const { manager } = this.scene.world;
    const connector = manager.addConnector(
      { slug: `scenario-${randomUUID().slice(0, 8)}`, endpoint: serverUrl, auth, identity_provider: provider },
      ['all'],
    );
    manager.toggle(manager.users[0]!, connector, true);
    await this.applyChanges();
    return connector;
  }

  /**
   * Calls the tool until it answers.
   * @param beforeLink runs before each link is opened
   * @throws Error with the last page or answer, if the tool does not answer
   */
  async call(connector: TestConnector, beforeLink: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (let opened = 0; ; opened += 1) {
      const answer = await this.request(connector);
      if (answer.includes('"text":"test"')) return;
      const link = /https?:[^ "\\]+\/oauth\/connect\/[^ "\\]+/.exec(answer)?.[0];
      if (link === undefined || opened === MAX_LINKS) throw new Error(`the tool does not answer: ${answer}`);
      await beforeLink();
      const browser = this.scene.signIn('alice', (url) => url.replace(this.origin, this.gateway.url));
      const page = await this.scene.approve(browser, link);
      if (page.status !== 200)
        throw new Error(`the connector was not connected: ${/<p>(.*?)<\/p>/s.exec(page.html)?.[1]}`);
    }
  }

  /** Replaces the provider of a connector. */
  async replaceProvider(connector: TestConnector, provider: Provider): Promise<void> {
    connector.identity_provider = provider;
    this.scene.world.manager.notifyChange();
    await this.applyChanges();
  }

  private async request({ slug }: TestConnector): Promise<string> {
    const token = await this.scene.world.token('alice');
    const url = `${this.gateway.url}/mcp/${slug}`;
    const { json } = await modern(url, token, 'tools/call', { name: TOOL, arguments: {} });
    return JSON.stringify(json);
  }

  private async applyChanges(): Promise<void> {
    const { world } = this.scene;
    const isPublished = () => world.manager.isPublishedAt(world.countGateways()) || undefined;
    await eventually(isPublished, 'the gateways know the connectors');
    await world.applyChanges();
  }
}
