import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import type { TestConnector, TestUser } from './support/manager.ts';
import { modern } from './support/raw.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let upstream: McpUpstream;
let connector: TestConnector;
let alice: TestUser;
let token: string;
let one: Gateway;
let two: Gateway;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream();
  connector = world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']);
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.toggle(alice, connector, true);
  token = await world.token('alice');
  [one, two] = [await world.gateway(), await world.gateway()];
  for (const { url } of [one, two]) await eventually(() => works(url), 'the gateway serves');
});

afterAll(async () => {
  await world.close();
  await upstream.close();
});

const call = (url: string, as = token) =>
  modern(`${url}/mcp`, as, 'tools/call', { name: `tools__${upstream.tools.echo}`, arguments: { text: 'x' } });
const works = async (url: string, as = token): Promise<true | undefined> =>
  (await call(url, as)).json.result === undefined ? undefined : true;
const isRefused = async (url: string) => ((await works(url)) ? undefined : true);
/** Waits until a change holds. A poll of the other kind would need longer than these tries. */
const withinASecond = (look: () => Promise<true | undefined>, what: string) => eventually(look, what, 40);

describe('the entitlements of a known user', () => {
  it('need no request to the enterprise manager', async () => {
    const before = world.manager.lookups;
    for (let calls = 0; calls < 20; calls += 1) expect(await works(one.url)).toBe(true);
    expect(world.manager.lookups).toBe(before);
  });

  it('change on all replicas within 1 s', async () => {
    alice.groups = [];
    for (const { url } of [one, two]) await withinASecond(() => isRefused(url), 'the group is gone');
    alice.groups = ['all'];
    for (const { url } of [one, two]) await withinASecond(() => works(url), 'the group is back');
  });

  it('hold at once on the replica that took the user’s own toggle', async () => {
    const api = createContractClient({ service: 'connector-gateway', baseUrl: one.controlUrl });
    world.manager.changesMs = 3_000;
    const set = (enabled: boolean) =>
      api.call<{ enabled: boolean }>('PUT /v1/users/me/gateway/connectors/{connector_id}', {
        token,
        path: { connector_id: connector.id },
        body: { enabled },
        headers: { 'if-match': '*' },
      });
    for (const enabled of [false, true, false, true]) {
      expect((await set(enabled)).body.enabled).toBe(enabled);
      expect((await works(one.url)) === true).toBe(enabled);
    }
    world.manager.changesMs = 0;
    await world.applyChanges();
  });

  it('appear when the user is created in the directory', async () => {
    const later = await world.token('later');
    expect(await works(one.url, later)).toBeUndefined();
    const user = world.manager.addUser({ subject: 'later', groups: ['all'] });
    world.manager.toggle(user, connector, true);
    await withinASecond(() => works(one.url, later), 'the user is known');
  });
});

describe('a feed that is disturbed', () => {
  const expectChangesToArrive = async () => {
    alice.groups = [];
    await eventually(() => isRefused(one.url), 'the group is gone');
    alice.groups = ['all'];
    await eventually(() => works(one.url), 'the group is back');
  };

  it('misses no change during a lost connection', async () => {
    await world.applyChanges();
    alice.groups = [];
    world.manager.breakConnections();
    await eventually(() => isRefused(one.url), 'the group is gone');
    alice.groups = ['all'];
    world.manager.breakConnections();
    await eventually(() => works(one.url), 'the group is back');
  });

  it('misses no change during a restart of the enterprise manager', async () => {
    await world.applyChanges();
    await eventually(() => works(one.url), 'the user is known');
    await world.manager.stop();
    expect(await works(one.url)).toBe(true);
    alice.groups = [];
    await world.manager.start();
    await eventually(() => isRefused(one.url), 'the group is gone');
    alice.groups = ['all'];
    await eventually(() => works(one.url), 'the group is back');
  });

  it('looks up all users again after the enterprise manager was restored from a backup', async () => {
    await world.applyChanges();
    world.manager.breakConnections();
    alice.groups = [];
    // The restored manager has an older version and has no record of this change.
    world.manager.restore();
    await eventually(() => isRefused(one.url), 'the group is gone');
    alice.groups = ['all'];
    await eventually(() => works(one.url), 'the group is back');
  });

  it('goes on with a new token when its token is refused', async () => {
    world.manager.refusedTokens.add(world.manager.lastToken);
    world.manager.breakConnections();
    await expectChangesToArrive();
  });

  it('serves known users while its answers are slow', async () => {
    world.manager.changesMs = 500;
    await expectChangesToArrive();
    world.manager.changesMs = 0;
  });

  it('serves known users and refuses changed ones while answers about users fail', async () => {
    await world.applyChanges();
    await eventually(() => works(one.url), 'the user is known');
    world.manager.failLookupsWith = 503;
    expect(await works(one.url)).toBe(true);
    alice.groups = ['all', 'other'];
    await eventually(async () => ((await call(one.url)).json.error?.code === -32603 ? true : undefined), 'refused');
    world.manager.failLookupsWith = undefined;
    await eventually(() => works(one.url), 'the user is served again');
  });
});

describe('a deactivated user', () => {
  it('loses a running call within 1 s', async () => {
    const leaver = world.manager.addUser({ subject: 'leaver', groups: ['all'] });
    world.manager.toggle(leaver, connector, true);
    const own = await world.token('leaver');
    await eventually(() => works(one.url, own), 'the user is known');
    const before = upstream.calls('tools/call').length;
    const slow = modern(`${one.url}/mcp`, own, 'tools/call', {
      name: `tools__${upstream.tools.slow}`,
      arguments: { text: 'x' },
    }).then(
      () => 'answered' as const,
      () => 'ended' as const,
    );
    await eventually(() => upstream.calls('tools/call').length > before || undefined, 'the call is running');
    leaver.active = false;
    expect(await slow).toBe('ended');
    expect((await call(one.url, own)).status).toBe(403);
  });
});
