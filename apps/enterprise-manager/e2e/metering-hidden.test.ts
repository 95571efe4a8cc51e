import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { grant, makeAvailable, makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { toolCall } from './metering-samples.ts';

const REPORT = 'POST /gateway/v1/gateways/{gateway_id}/tool-calls';
const gateway_id = 'local';

describe('tool calls of a hidden connector', () => {
  let manager: TestManager;
  let [alice, bob] = ['', ''];
  let connector: { id: string; name: string };
  let group: string;
  const removed = randomUUID();
  const range = {
    start: new Date(Date.now() - 3_600_000).toISOString(),
    end: new Date(Date.now() + 3_600_000).toISOString(),
  };

  beforeAll(async () => {
    manager = await startManager();
    [alice, bob] = [await manager.findUserId('alice'), await manager.findUserId('bob')];
    connector = await makeAvailable(manager);
    group = await makeGroup(manager, 'alice');
    const denied = { decision: 'denied', outcome: 'unspecified', category: 'denied', billable: false };
    const calls = [
      toolCall({ user_id: alice, connector_id: connector.id, tool_name: 'of-the-connector' }),
      toolCall({ user_id: alice, connector_id: connector.id, tool_name: 'guessed-tool', ...denied }),
      toolCall({ user_id: alice, connector_id: removed, connector_name: 'Removed', tool_name: 'of-a-removed-one' }),
      toolCall({ user_id: alice, tool_name: 'guessed__tool', ...denied }),
      toolCall({ user_id: bob, tool_name: 'guessed__tool', ...denied }),
    ];
    const { body } = await manager.client.call<{ results: { status: string }[] }>(REPORT, {
      token: manager.tokens.gateway,
      path: { gateway_id },
      body: { calls },
    });
    expect(body.results.map(({ status }) => status)).toEqual(calls.map(() => 'stored'));
  }, 60_000);
  afterAll(() => manager.close());

  /** Reads all that a caller can read about tool calls, as text by the name of the read. */
  async function readAll(token: string, userId = alice): Promise<Record<string, string>> {
    const reads: [name: string, path: string, query: object, id?: string][] = [
      ['summary', '/v1/metering/usage/summary', {}],
      ['top connectors', '/v1/metering/usage/top-connectors', {}],
      ['top tools', '/v1/metering/usage/top-tools', {}],
      ['series by connector', '/v1/metering/usage/timeseries', { ...range, dimension: 'connector' }],
      ['series by tool', '/v1/metering/usage/timeseries', { ...range, dimension: 'tool' }],
      ['series without a range', '/v1/metering/usage/timeseries', { dimension: 'tool' }],
      ['connector', '/v1/metering/usage/connectors/{id}', range, connector.id],
      ['user', '/v1/metering/usage/users/{id}', range, userId],
      [
        'whole days of the user',
        '/v1/metering/usage/users/{id}',
        { start: '2026-01-01T00:00:00Z', end: '2099-01-01T00:00:00Z' },
        userId,
      ],
      ['activity', '/v1/metering/usage/connectors/{id}/calls', {}, connector.id],
      ['own activity', '/v1/me/metering/usage/calls', { connector_id: connector.id }],
      ['export', '/v1/metering/usage/export', {}],
    ];
    const responses = await Promise.all(
      reads.map(async ([name, path, query, id]) => {
        const { status, body } = await manager.client.call(`GET ${path}`, {
          token,
          query: { gateway_id, ...query },
          ...(id !== undefined && { path: { id } }),
        });
        expect([name, status]).toEqual([name, 200]);
        return [name, JSON.stringify(body)] as const;
      }),
    );
    return Object.fromEntries(responses);
  }

  const listContaining = (responses: Record<string, string>, text: string) =>
    Object.keys(responses).filter((name) => responses[name]!.includes(text));

  it('are listed to a caller only while the connector is visible', async () => {
    const everywhere = [
      'top tools',
      'series by tool',
      'series without a range',
      'user',
      'activity',
      'own activity',
      'export',
    ];
    const ofAlice = { figures_of: { scope: 'user', user_id: alice } };
    await grant(manager, connector.id, group);
    const visible = await readAll(manager.tokens.alice);
    expect(listContaining(visible, 'of-the-connector')).toEqual(expect.arrayContaining(everywhere));
    expect(listContaining(visible, connector.id)).toEqual(
      expect.arrayContaining(['top connectors', 'series by connector']),
    );
    expect(JSON.parse(visible['summary']!)).toEqual({ ...ofAlice, active_user_count: 1, tool_call_count: 2 });
    for (const text of ['of-a-removed-one', 'guessed__tool']) expect(listContaining(visible, text)).toEqual([]);

    await grant(manager, connector.id);
    const hidden = await readAll(manager.tokens.alice);
    expect(listContaining(hidden, 'of-the-connector')).toEqual([]);
    expect(listContaining(hidden, connector.name)).toEqual([]);
    // A request by id returns this id, like a request for an unknown connector.
    expect(listContaining(hidden, connector.id)).toEqual(['connector']);
    expect(JSON.parse(hidden['connector']!)).toMatchObject({
      connector_name: '',
      tool_call_count: 0,
      group_series: [],
    });
    expect(JSON.parse(hidden['activity']!)).toMatchObject({ records: [] });
    expect(JSON.parse(hidden['summary']!)).toEqual({ ...ofAlice, active_user_count: 0, tool_call_count: 0 });
    for (const text of ['guessed', 'of-a-removed-one']) expect(listContaining(hidden, text)).toEqual([]);

    await grant(manager, connector.id, group);
    expect(listContaining(await readAll(manager.tokens.alice), 'of-the-connector')).toEqual(
      expect.arrayContaining(everywhere),
    );
  });

  it('have the same response as those of removed and unknown connectors', async () => {
    await grant(manager, connector.id);
    const hideVariableParts = (responses: Record<string, string>, userId: string) =>
      Object.entries(responses).map(([name, text]) => {
        // A cursor is sealed for its caller.
        const { resume_cursor: _, ...body } = JSON.parse(text.replaceAll(userId, 'caller')) as Record<string, unknown>;
        return [name, body];
      });
    const responses = hideVariableParts(await readAll(manager.tokens.alice, alice), alice);
    expect(responses).toEqual(hideVariableParts(await readAll(manager.tokens.bob, bob), bob));
    expect(JSON.stringify(responses)).not.toMatch(/"(records|connectors|tools)":\[[^\]]/);
  });

  it('are listed for administrators and auditors, refused calls included', async () => {
    await grant(manager, connector.id);
    for (const token of [manager.tokens.admin, manager.tokens.auditor]) {
      const { body } = await manager.client.call('GET /v1/metering/usage/connectors/{id}/calls', {
        token,
        path: { id: connector.id },
        query: { gateway_id, decision: 'denied' },
      });
      expect(body).toEqual({
        figures_of: { scope: 'all_users' },
        records: [
          expect.objectContaining({ user_id: alice, tool_name: 'guessed-tool', connector_name: connector.name }),
        ],
      });
    }
  });

  it('are complete for administrators and auditors', async () => {
    await grant(manager, connector.id);
    for (const token of [manager.tokens.admin, manager.tokens.auditor]) {
      const responses = await readAll(token);
      for (const name of ['top tools', 'series by tool', 'user', 'activity', 'export'])
        expect([name, responses[name]]).toEqual([name, expect.stringContaining('of-the-connector')]);
      for (const text of ['of-a-removed-one', 'guessed__tool'])
        expect(listContaining(responses, text)).toEqual(expect.arrayContaining(['export', 'series by tool']));
    }
  });

  it('are omitted when the connector is no longer available', async () => {
    await grant(manager, connector.id, group);
    await manager.sql(`UPDATE connectors SET status = 'draft' WHERE id = $1`, [connector.id]);
    expect(listContaining(await readAll(manager.tokens.alice), 'of-the-connector')).toEqual([]);
    await manager.sql(`UPDATE connectors SET status = 'available' WHERE id = $1`, [connector.id]);
    expect(listContaining(await readAll(manager.tokens.alice), 'of-the-connector')).not.toEqual([]);
  });
});
