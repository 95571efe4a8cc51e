import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { makeVisible } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { toolCall } from './metering-samples.ts';

interface Series {
  bucket_width_seconds: number;
  buckets: { bucket_start: string; tool_call_count: number; breakdown: { key: string; tool_call_count: number }[] }[];
}

type Query = Record<string, string | number | undefined>;
const USAGE = 'GET /v1/metering/usage/';

/** The part of a response that counts the calls of all users. */
const ALL = { figures_of: { scope: 'all_users' } };

describe('the usage that a caller sees', () => {
  let manager: TestManager;
  let ids: Record<'alice' | 'bob', string>;
  beforeAll(async () => {
    manager = await startManager({ gateways: ['other'], environment: { TOOL_CALL_RETENTION_DAYS: '7300' } });
    ids = { alice: await manager.findUserId('alice'), bob: await manager.findUserId('bob') };
  }, 180_000);
  afterAll(() => manager.close());

  const report = async (gateway_id: string, calls: unknown[]) => {
    for (let at = 0; at < calls.length; at += 1_000) {
      const { body } = await manager.client.call<{ results: { status: string }[] }>(
        'POST /gateway/v1/gateways/{gateway_id}/tool-calls',
        { token: manager.tokens.gateway, path: { gateway_id }, body: { calls: calls.slice(at, at + 1_000) } },
      );
      expect(new Set(body.results.map(({ status }) => status))).toEqual(new Set(['stored']));
    }
  };
  const requestUsage = <T = Record<string, unknown>>(
    what: string,
    query: Query,
    token = manager.tokens.admin,
    id?: string,
  ) =>
    manager.client.call<T & { error: string }>(`${USAGE}${what}`, {
      token,
      query,
      ...(id !== undefined && { path: { id } }),
    });
  const read = async <T = Record<string, unknown>>(...args: Parameters<typeof requestUsage>): Promise<T> => {
    const { status, body } = await requestUsage<T>(...args);
    expect(status).toBe(200);
    return body;
  };

  it('is the caller’s own without the role admin or auditor, has the caller in figures_of, and refuses the id of another user', async () => {
    const connector_id = await makeVisible(manager, ['alice'], 'other');
    const occurred_at = '2026-04-10T10:00:00.000Z';
    const groups = [{ id: 'g', name: 'G' }];
    await report('other', [
      toolCall({ connector_id, occurred_at, user_id: ids.alice, groups }),
      toolCall({ connector_id, occurred_at, user_id: ids.bob, groups }),
      toolCall({ connector_id, occurred_at }),
    ]);
    const range = { gateway_id: 'other', start: '2026-04-01T00:00:00Z', end: '2026-05-01T00:00:00Z' };
    const { alice, stranger, auditor, gateway } = manager.tokens;
    expect(await read('summary', range, auditor)).toEqual({ ...ALL, active_user_count: 2, tool_call_count: 3 });
    const own = { figures_of: { scope: 'user', user_id: ids.alice } };
    expect(await read('summary', range, alice)).toEqual({ ...own, active_user_count: 1, tool_call_count: 1 });
    for (const what of ['summary', 'top-connectors', 'top-tools', 'timeseries'])
      expect(await read(what, range, alice)).toMatchObject(own);
    expect(await read('connectors/{id}', range, alice, connector_id)).toMatchObject(own);
    const none = { figures_of: { scope: 'user' } };
    expect(await read('summary', range, stranger)).toEqual({ ...none, active_user_count: 0, tool_call_count: 0 });
    expect(await read('top-connectors', range, alice)).toMatchObject({ connectors: [{ tool_call_count: 1 }] });
    expect(await read('top-tools', range, stranger)).toEqual({ ...none, tools: [] });
    expect(await read('connectors/{id}', range, alice, connector_id)).toMatchObject({
      tool_call_count: 1,
      group_series: [{ points: expect.arrayContaining([expect.objectContaining({ tool_call_count: 1 })]) }],
    });
    const totals = (await read<Series>('timeseries', range, alice)).buckets.reduce(
      (sum, one) => sum + one.tool_call_count,
      0,
    );
    expect(totals).toBe(1);
    const refused = [];
    for (const id of [ids.bob, randomUUID()]) refused.push(await requestUsage('users/{id}', range, alice, id));
    refused.push(await requestUsage('users/{id}', range, stranger, ids.bob));
    for (const { status, body } of refused)
      expect([status, body]).toEqual([
        403,
        { error: expect.stringMatching(/^only administrators and auditors can read the usage/) },
      ]);
    expect(await read('users/{id}', range, auditor, ids.bob)).toMatchObject({ tool_call_count: 1 });
    expect(await read('users/{id}', range, alice, ids.alice)).toMatchObject({ tool_call_count: 1 });
    for (const what of ['summary', 'top-connectors', 'top-tools', 'timeseries', 'export']) {
      expect((await requestUsage(what, { gateway_id: 'other' }, gateway)).status).toBe(403);
      expect((await requestUsage(what, { gateway_id: 'none' })).status).toBe(404);
    }
  });
});
