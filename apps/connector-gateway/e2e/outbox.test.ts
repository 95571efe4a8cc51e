import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectMigrationsToMatchEntities } from '@gatehouse/database/drift';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import pg from 'pg';
import { entities } from '../src/entities.ts';
import type { TestConnector, TestUser } from './support/manager.ts';
import { modern } from './support/raw.ts';
import { verifies } from './support/verifies.ts';
import { eventually, World } from './support/world.ts';

let world: World;
let upstream: McpUpstream;
let connector: TestConnector;
let alice: TestUser;
let token: string;
let name: string;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream();
  connector = world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']);
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.toggle(alice, connector, true);
  token = await world.token('alice');
  name = `tools__${upstream.tools.echo}`;
});

afterAll(async () => {
  await world.close();
  await upstream.close();
});

const call = (url: string, text: string, tool = name, as = token) =>
  modern(`${url}/mcp`, as, 'tools/call', { name: tool, arguments: { text } });

const works = async (url: string, text: string): Promise<boolean> => (await call(url, text)).json.result !== undefined;

const untilReady = (url: string) =>
  eventually(async () => {
    const { json } = await modern(`${url}/mcp`, token, 'tools/list').catch(() => ({ json: undefined }));
    return ((json?.result?.['tools'] as unknown[] | undefined) ?? []).length > 0 ? true : undefined;
  }, 'the gateway serves');

const sql = <Row extends pg.QueryResultRow>(text: string) => world.sql<Row>(text);

describe('tool-call records', () => {
  verifies(
    ['metering:exactly-once', 'metering:before-answer'],
    'survive kill -9 of the gateway and count once',
    async () => {
      const first = await world.startApart();
      await untilReady(first.url);
      world.manager.failWith = 503;
      // The list above has cached the user, so the call is served during the outage.
      expect(await works(first.url, 'survivor')).toBe(true);
      await first.process.killHard();
      const [kept] = await sql<{ call_id: string }>(`SELECT call_id FROM tool_calls WHERE state = 'ready'`);
      expect(world.manager.records.has(kept!.call_id)).toBe(false);
      world.manager.failWith = undefined;
      const second = await world.startApart();
      await eventually(() => (world.manager.records.has(kept!.call_id) ? true : undefined), 'the record arrives');
      await second.process.stop();
      expect(world.manager.deliveries.filter((one) => one.call_id === kept!.call_id)).toHaveLength(1);
    },
  );

  verifies(
    ['metering:exactly-once'],
    'are delivered once by several replicas during outages of the enterprise manager',
    async () => {
      const gateways = await Promise.all([world.gateway(), world.gateway()]);
      for (const { url } of gateways) await untilReady(url);
      const before = world.manager.records.size;
      await world.manager.stop();
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) => works(gateways[index % 2]!.url, `n${index}`)),
      );
      expect(results).toEqual(Array.from({ length: 40 }, () => true));
      await world.manager.start();
      await eventually(() => (world.manager.records.size >= before + 40 ? true : undefined), 'all records arrive');
      await eventually(async () => {
        const [row] = await sql<{ count: string }>(`SELECT count(*) FROM tool_calls WHERE state <> 'delivered'`);
        return row?.count === '0' ? true : undefined;
      }, 'the outbox is empty');
      expect(world.manager.records.size).toBe(before + 40);
      await Promise.all(gateways.map((gateway) => gateway.close()));
    },
  );

  it('stay in the outbox with the reason when rejected, and block no other record', async () => {
    const gateway = await world.gateway();
    await untilReady(gateway.url);
    world.manager.rejectTool = upstream.tools.failing;
    await call(gateway.url, 'x', `tools__${upstream.tools.failing}`);
    await call(gateway.url, 'after the rejected one');
    const [row] = await eventually(async () => {
      const rows = await sql<{ rejection: string }>(`SELECT rejection FROM tool_calls WHERE state = 'rejected'`);
      return rows.length > 0 ? rows : undefined;
    }, 'the record is rejected');
    expect(row?.rejection).toBe('tool_name: is rejected by the test');
    world.manager.rejectTool = undefined;
    await gateway.close();
  });

  it('mark an equal call soon after an error as a retry of the user', async () => {
    const gateway = await world.gateway();
    await untilReady(gateway.url);
    const tool = `tools__${upstream.tools.failing}`;
    for (const text of ['again', 'again', 'other']) await call(gateway.url, text, tool);
    const rows = await sql<{ category: string; billable: boolean }>(
      `SELECT category, billable FROM tool_calls WHERE tool_name = '${upstream.tools.failing}' ORDER BY call_id DESC LIMIT 3`,
    );
    expect(rows.reverse()).toEqual([
      { category: 'invocation', billable: true },
      { category: 'customer_retry', billable: true },
      { category: 'invocation', billable: true },
    ]);
    await gateway.close();
  });

  it('are not billable when the upstream was never reached', async () => {
    const gone = await startMcpUpstream();
    const other = world.manager.addConnector({ slug: 'gone', endpoint: gone.url }, ['all']);
    world.manager.toggle(alice, other, true);
    const gateway = await world.gateway();
    await untilReady(gateway.url);
    expect((await modern(`${gateway.url}/mcp/gone`, token, 'tools/list')).json.result?.['tools']).toHaveLength(4);
    await gone.close();
    const response = await call(gateway.url, 'x', `gone__${gone.tools.echo}`);
    expect(response.json.result).toMatchObject({ isError: true });
    const [row] = await sql<object>(
      `SELECT outcome, billable, billable_reason FROM tool_calls ORDER BY call_id DESC LIMIT 1`,
    );
    expect(row).toEqual({ outcome: 'error', billable: false, billable_reason: 'upstream not reached' });
    await gateway.close();
  });

  it('are required: after a failed record the gateway makes no call without one', async () => {
    const gateway = await world.gateway();
    await untilReady(gateway.url);
    const admin = new pg.Client({ connectionString: world.database.adminUrl });
    await admin.connect();
    await admin.query('ALTER TABLE tool_calls RENAME TO hidden');
    const unanswered = await call(gateway.url, 'unrecorded');
    const before = upstream.calls('tools/call').length;
    const response = await call(gateway.url, 'not made');
    await admin.query('ALTER TABLE hidden RENAME TO tool_calls');
    await admin.end();
    for (const { json } of [unanswered, response])
      expect(json.error).toEqual({ code: -32603, message: 'internal error' });
    expect(upstream.calls('tools/call').length).toBe(before);
    expect(await works(gateway.url, 'recorded again')).toBe(true);
    await gateway.close();
  });
});

describe('an outage of the directory', () => {
  const unavailable = 'the directory cannot be reached at the moment; try again later';
  verifies(['directory:down'], 'serves known users until the lease ends, and refuses unknown users', async () => {
    const gateway = await world.gateway({ FEED_LEASE_SECONDS: '4' });
    await untilReady(gateway.url);
    await world.manager.stop();
    expect(await works(gateway.url, 'within the lease')).toBe(true);
    const stranger = await call(gateway.url, 'x', name, await world.token('carol'));
    expect(stranger.json.error?.message).toBe(unavailable);
    await eventually(async () => !(await works(gateway.url, 'at the end')) || undefined, 'the lease ends');
    expect((await call(gateway.url, 'after the lease')).json.error?.message).toBe(unavailable);
    expect((await fetch(`${gateway.controlUrl}/readyz`)).status).toBe(503);
    await world.manager.start();
    await untilReady(gateway.url);
    expect(await works(gateway.url, 'after the outage')).toBe(true);
    await gateway.close();
  });

  verifies(['directory:down'], 'refuses all users after a restart, and is not ready', async () => {
    const first = await world.gateway();
    await untilReady(first.url);
    await first.close();
    await world.manager.stop();
    const second = await world.gateway();
    expect((await call(second.url, 'after the restart')).json.error?.message).toBe(unavailable);
    const ready = await fetch(`${second.controlUrl}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('directory')]);
    await world.manager.start();
    await untilReady(second.url);
    await second.close();
  });
});

describe('the database schema', () => {
  it('matches the entities', async () => {
    await expectMigrationsToMatchEntities(world.database.ownerUrl, entities);
  });
});
