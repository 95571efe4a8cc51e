import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import type { TestConnector, TestUser } from './manager.ts';
import { modern, type RawAnswer } from './raw.ts';
import { type Script, scripted, type ScriptedServer } from './scripted.ts';
import { World } from './world.ts';

/** A gateway whose user alice sees a good server, and hostile ones that a test adds beside it. */
export class HostileWorld {
  private readonly servers: ScriptedServer[] = [];

  private constructor(
    readonly world: World,
    readonly good: McpUpstream,
    readonly alice: TestUser,
    readonly token: string,
    /** Address of the MCP endpoint with all connectors. */
    readonly endpoint: string,
  ) {}

  /** @param environment further settings of the gateway */
  static async start(environment: Record<string, string> = {}): Promise<HostileWorld> {
    const world = await World.start();
    const good = await startMcpUpstream();
    const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
    world.manager.toggle(alice, world.manager.addConnector({ slug: 'good', endpoint: good.url }, ['all']), true);
    const { url } = await world.gateway(environment);
    return new HostileWorld(world, good, alice, await world.token('alice'), `${url}/mcp`);
  }

  /** Starts a server with these scripts and connects alice to it. */
  async add(
    slug: string,
    scripts: Record<string, Script>,
  ): Promise<{ server: ScriptedServer; connector: TestConnector }> {
    const server = await scripted(scripts);
    this.servers.push(server);
    const connector = this.world.manager.addConnector({ slug, endpoint: server.url }, ['all']);
    this.world.manager.toggle(this.alice, connector, true);
    return { server, connector };
  }

  /** Names of the tools at an address; by default those of all connectors. */
  async listTools(address = this.endpoint): Promise<string[]> {
    const { json } = await modern(address, this.token, 'tools/list');
    return ((json.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
  }

  /** Calls a tool as alice. */
  call(name: string, args: object = {}): Promise<RawAnswer> {
    return modern(this.endpoint, this.token, 'tools/call', { name, arguments: args });
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.good.close();
    for (const server of this.servers) await server.close();
  }
}
