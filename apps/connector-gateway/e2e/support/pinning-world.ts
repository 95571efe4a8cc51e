import { type ContractClient, createContractClient } from '@gatehouse/testing/contract-client';
import { UNLIMITED_SETTINGS } from '../../src/mcp/ports/gateway-settings.fixture.ts';
import type { ToolPinning } from '../../src/mcp/ports/tool-pin-store.ts';
import { ChangingTools, PAY } from './changing-tools.ts';
import type { TestConnector } from './manager.ts';
import { modern, type RawAnswer } from './raw.ts';
import { eventually, type Gateway, World } from './world.ts';

/** A change of a tool, as the control plane shows it. */
export interface Change {
  id: string;
  tool: string;
  kind: string;
  status: string;
  connector_id: string;
  superseded: number;
  old_definition?: Record<string, unknown>;
  new_definition?: Record<string, unknown>;
  decided_by?: { subject: string };
}

/** A page of changes. */
export interface ChangePage {
  items: Change[];
  next_cursor?: string;
}

const CHANGES = '/v1/admin/tool-changes';

/** Two replicas, and the connector of a server whose tools change. */
export class PinningWorld {
  /** The lines of the first replica's log. */
  readonly lines: string[] = [];
  gateways!: [Gateway, Gateway];
  tokens!: Record<'alice' | 'bob' | 'admin' | 'auditor', string>;
  private server: ChangingTools | undefined;
  connector!: TestConnector;
  private apis!: readonly [ContractClient, ContractClient];
  private connectors = 0;

  private constructor(readonly world: World) {}

  static async start(): Promise<PinningWorld> {
    const scene = new PinningWorld(await World.start());
    const { world, lines } = scene;
    for (const subject of ['alice', 'bob']) world.manager.addUser({ subject, groups: ['all'] });
    const log = { write: (line: string) => void lines.push(line) };
    scene.gateways = [await world.gateway({ LOG_LEVEL: 'warn' }, log), await world.gateway()];
    const createApi = ({ controlUrl }: Gateway) =>
      createContractClient({ service: 'connector-gateway', baseUrl: controlUrl });
    scene.apis = [createApi(scene.gateways[0]), createApi(scene.gateways[1])];
    scene.tokens = {
      alice: await world.token('alice'),
      bob: await world.token('bob'),
      admin: await world.token('root', { roles: ['admin'] }),
      auditor: await world.token('auditor', { roles: ['auditor'] }),
    };
    return scene;
  }

  /** Begins a test with a new server and a new connector. */
  async begin(pinning: ToolPinning, eras: 'both' | 'legacy' | 'modern' = 'both'): Promise<void> {
    await this.end();
    this.connectors += 1;
    this.server = await ChangingTools.start({ eras });
    const { manager } = this.world;
    this.connector = manager.addConnector({ slug: `shop${this.connectors}`, endpoint: this.tools.upstream.url }, [
      'all',
    ]);
    for (const user of manager.users) manager.toggle(user, this.connector, true);
    await this.pin(pinning);
    await this.world.applyChanges();
    if (pinning !== 'off') await eventually(() => this.isListed(0), 'the baseline is taken');
  }

  /** Ends a test. */
  async end(): Promise<void> {
    await this.server?.upstream.close();
    this.server = undefined;
  }

  /** The server of the test. */
  get tools(): ChangingTools {
    if (this.server === undefined) throw new Error('no test has begun');
    return this.server;
  }

  async close(): Promise<void> {
    await this.world.close();
  }

  /** Sets the pinning of the connector at both replicas. */
  async pin(tool_pinning: ToolPinning): Promise<void> {
    const { manager } = this.world;
    manager.settings = { ...UNLIMITED_SETTINGS, connectors: { [this.connector.id]: { content: { tool_pinning } } } };
    manager.notifyChange();
    await eventually(() => manager.isPublishedAt(2) || undefined, 'both replicas have the settings');
  }

  /** The endpoint of the connector at a replica. */
  urlAt(at: 0 | 1, query = ''): string {
    return `${this.gateways[at].url}/mcp/${this.connector.slug}${query}`;
  }

  /** The names of the tools that a user gets. */
  async list(at: 0 | 1 = 0, token = this.tokens.alice): Promise<string[]> {
    const { json } = await modern(this.urlAt(at), token, 'tools/list');
    return (json.result?.['tools'] as { name: string }[]).map(({ name }) => name);
  }

  async isListed(at: 0 | 1): Promise<boolean> {
    return (await this.list(at)).includes(PAY);
  }

  call(at: 0 | 1 = 0, token = this.tokens.alice): Promise<RawAnswer> {
    return modern(this.urlAt(at), token, 'tools/call', { name: PAY });
  }

  /** Waits until a replica offers the tool, or withholds it. */
  async waitUntilListed(at: 0 | 1, isListed: boolean): Promise<void> {
    await eventually(
      async () => (await this.isListed(at)) === isListed || undefined,
      `replica ${at} ${isListed ? 'offers' : 'withholds'} the tool`,
    );
  }

  /** Changes the tool, and waits for the recorded change. */
  async change(): Promise<Change> {
    const description = this.tools.changeAgain();
    return eventually(async () => {
      await this.list();
      const { items } = await this.listChanges();
      return items.find(({ new_definition: definition }) => definition?.['description'] === description);
    }, 'the change is recorded');
  }

  /** A page of changes of the connector. */
  async listChanges(query: Record<string, string | number> = {}): Promise<ChangePage> {
    const { body } = await this.apis[0].call<ChangePage>(`GET ${CHANGES}`, {
      token: this.tokens.auditor,
      query: { connector_id: this.connector.id, ...query },
    });
    return body;
  }

  /** Decides about a change at a replica. */
  decide(decision: 'accept' | 'reject', id: string, token = this.tokens.admin, at: 0 | 1 = 0) {
    return this.apis[at].call<Change & { error?: string }>(`POST ${CHANGES}/{id}/${decision}`, { token, path: { id } });
  }

  /** The audit events of an object, newest first. */
  async listEvents(query: Record<string, string>): Promise<{ operation: string; subject: string }[]> {
    const { body } = await this.apis[0].call<{ items: { operation: string; subject: string }[] }>(
      'GET /v1/audit-events',
      { token: this.tokens.auditor, query },
    );
    return body.items;
  }
}
