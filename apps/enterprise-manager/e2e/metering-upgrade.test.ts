import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@gatehouse/database/migrate';
import { recordHash, usageText } from '@gatehouse/signed-config/tool-call-chain';
import { ToolCallVerifier } from '@gatehouse/signed-config/tool-call-verifier';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrations } from '../src/database/migrations.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { toolCall } from './metering-samples.ts';

/** The first migration with chains. */
const CHAINS = migrations.findIndex(({ name }) => name.startsWith('ChainToolCalls'));
const GATEWAYS = ['local', 'other', 'empty'];
/** The part of a response that counts the calls of all users. */
const ALL = { figures_of: { scope: 'all_users' } };
/** More records than one step of the upgrade processes. */
const OF_LOCAL = 2_500;

interface ExportedPage {
  records: {
    chain_id: string;
    sequence: number;
    prev_hash: string;
    record_hash: string;
    usage: Record<string, unknown> & { call_id: string };
  }[];
  next_cursor?: string;
}

/** A record as the database stored it before chains. */
interface OlderRecord {
  call_id: string;
  occurred_at: Date;
  gateway_id: string;
  connector_id: string | null;
  user_id: string | null;
  groups: { id: string; name: string | null }[];
  arrived_at: Date;
}

describe('the migration of tool calls to chains', () => {
  let manager: TestManager;
  const connectors = [randomUUID(), randomUUID(), null];
  const user = randomUUID();
  const now = Date.now();
  const subtractMonths = (months: number) => new Date(now - months * 30 * 86_400_000);
  const older: OlderRecord[] = Array.from({ length: OF_LOCAL + 10 }, (_, at) => ({
    call_id: randomUUID(),
    occurred_at: new Date(subtractMonths(at % 3).getTime() - 5_000),
    gateway_id: at < OF_LOCAL ? 'local' : 'other',
    connector_id: connectors[at % 3] ?? null,
    user_id: at % 2 === 0 ? user : null,
    groups: [
      { id: 'g', name: null },
      { id: 'h', name: 'Größe "😀" \\ & <x>' },
    ].slice(0, at % 3),
    // Many records have the same millisecond and differ only in the order of their arrival.
    arrived_at: new Date(subtractMonths(at % 3).getTime() + Math.floor(at / 500)),
  }));

  beforeAll(async () => {
    manager = await startManager({
      gateways: GATEWAYS.slice(1),
      prepare: (ownerUrl) => migrate(ownerUrl, migrations.slice(0, CHAINS)),
      between: async (url) => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.query(
          `INSERT INTO tool_calls (call_id, occurred_at, gateway_id, environment, connector_id, connector_name, tool_name, user_id, user_email, groups, decision,
             outcome, category, billable, billable_reason, definition_version, duration_ms, arguments_sha256, content_sha256, arrived_at)
           SELECT call_id, occurred_at, gateway_id, 'local', connector_id, 'Öld', 'echo', user_id, NULL, groups, 'allowed', 'ok', 'invocation', TRUE, NULL,
             'abcdefabcdef', 7, $2, $2, arrived_at
           FROM jsonb_to_recordset($1) AS o (call_id uuid, occurred_at timestamptz, gateway_id text, connector_id uuid, user_id uuid, groups jsonb,
             arrived_at timestamptz)`,
          [JSON.stringify(older), createHash('sha256').update('older').digest('hex')],
        );
        await client.end();
        return url;
      },
    });
  }, 120_000);
  afterAll(() => manager.close());

  const report = async (gateway_id: string, calls: unknown[]) =>
    (
      await manager.client.call<{ results: { status: string }[] }>(
        'POST /gateway/v1/gateways/{gateway_id}/tool-calls',
        {
          token: manager.tokens.gateway,
          path: { gateway_id },
          body: { calls },
        },
      )
    ).body.results.map(({ status }) => status);
  const readPages = async (gateway_id: string) => {
    const pages: ExportedPage[] = [];
    for (let cursor: string | undefined; ; cursor = pages.at(-1)?.next_cursor) {
      const { status, body } = await manager.client.call<ExportedPage>('GET /v1/metering/usage/export', {
        token: manager.tokens.admin,
        query: { gateway_id, limit: 500, ...(cursor !== undefined && { cursor }) },
      });
      expect(status).toBe(200);
      pages.push(body);
      if (body.next_cursor === undefined) return pages;
    }
  };

  it('links all records in the chain of their gateway and month, in the order of arrival', async () => {
    for (const gateway of ['local', 'other']) {
      const pages = await readPages(gateway);
      const records = pages.flatMap((page) => page.records);
      const wanted = older.filter(({ gateway_id }) => gateway_id === gateway);
      const ordered = [...wanted.entries()].sort(
        ([a, one], [b, two]) => one.arrived_at.getTime() - two.arrived_at.getTime() || a - b,
      );
      expect(records.map(({ usage }) => usage.call_id)).toEqual(ordered.map(([, { call_id }]) => call_id));
      let [chain, before, sequence] = ['', '', 0];
      for (const [at, record] of records.entries()) {
        if (record.chain_id !== chain) [chain, before, sequence] = [record.chain_id, '', 0];
        sequence += 1;
        expect(chain).toBe(`${gateway}:${ordered[at]?.[1].arrived_at.toISOString().slice(0, 7) ?? ''}`);
        expect([record.sequence, record.prev_hash]).toEqual([sequence, before]);
        expect(recordHash({ chain_id: chain, sequence, prev_hash: before }, usageText(record.usage))).toBe(
          record.record_hash,
        );
        before = record.record_hash;
      }
    }
    const [first] = older;
    const found = (await readPages('local')).flatMap(({ records }) => records);
    expect(found.find(({ usage }) => usage.call_id === first?.call_id)?.usage).toEqual({
      call_id: first?.call_id,
      occurred_at: first?.occurred_at.toISOString(),
      gateway_id: 'local',
      environment: 'local',
      connector_id: first?.connector_id,
      connector_name: 'Öld',
      tool_name: 'echo',
      user_id: user,
      groups: [],
      decision: 'allowed',
      outcome: 'ok',
      category: 'invocation',
      billable: true,
      definition_version: 'abcdefabcdef',
      duration_ms: 7,
      arguments_sha256: createHash('sha256').update('older').digest('hex'),
    });
  });

  it('counts the records in all sums, and still refuses repeats', async () => {
    const requestUsage = async <T>(what: string, query: object = {}): Promise<T> =>
      (
        await manager.client.call<T>(`GET /v1/metering/usage/${what}`, {
          token: manager.tokens.admin,
          query: { gateway_id: 'local', ...query },
        })
      ).body;
    const local = older.filter(({ gateway_id }) => gateway_id === 'local');
    expect(await requestUsage('summary')).toEqual({ ...ALL, active_user_count: 1, tool_call_count: OF_LOCAL });
    const { connectors: top } = await requestUsage<{ connectors: { connector_id: string; tool_call_count: number }[] }>(
      'top-connectors',
    );
    expect(new Map(top.map((one) => [one.connector_id, one.tool_call_count]))).toEqual(
      new Map(
        connectors.flatMap((id) =>
          id === null ? [] : [[id, local.filter(({ connector_id }) => connector_id === id).length] as const],
        ),
      ),
    );
    const repeats = older.slice(0, 5).map(({ call_id }) => toolCall({ call_id }));
    expect(await report('local', repeats)).toEqual(repeats.map(() => 'duplicate'));
    expect(await requestUsage('summary')).toEqual({ ...ALL, active_user_count: 1, tool_call_count: OF_LOCAL });
  });

  it('continues the chains with new records, and all of them verify', async () => {
    const before = (await readPages('local')).flatMap(({ records }) => records);
    expect(new Set(await report('local', [toolCall(), toolCall()]))).toEqual(new Set(['stored']));
    expect(await report('empty', [toolCall()])).toEqual(['stored']);
    const pages = await readPages('local');
    const records = pages.flatMap((page) => page.records);
    expect(records.slice(0, before.length)).toEqual(before);
    const month = new Date().toISOString().slice(0, 7);
    const last = before.at(-1);
    expect(records[before.length]).toMatchObject({
      chain_id: `local:${month}`,
      ...(last?.chain_id === `local:${month}`
        ? { sequence: last.sequence + 1, prev_hash: last.record_hash }
        : { sequence: 1, prev_hash: '' }),
    });
    const jwks: unknown = await (await fetch(`${manager.baseUrl}/.well-known/jwks.json`)).json();
    const verifier = new ToolCallVerifier({ jwks });
    for (const [at, page] of pages.entries()) await verifier.take(page, `page ${at + 1}`);
    const result = verifier.result();
    expect(result).toMatchObject({ records: OF_LOCAL + 2 });
    expect(result).not.toHaveProperty('bad');
  });
});
