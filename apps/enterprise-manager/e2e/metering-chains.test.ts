import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordHash, usageText } from '@gatehouse/signed-config/tool-call-chain';
import { ToolCallVerifier, type VerificationOptions } from '@gatehouse/signed-config/tool-call-verifier';
import { findExportFault } from '@gatehouse/testing/second-verifier';
import { Clock } from '@gatehouse/service-kit/clock';
import pg from 'pg';
import { makeVisible } from './connector-scene.ts';
import { createGatewaysSetting, startManager, type TestManager } from './enterprise-manager.ts';
import { toolCall } from './metering-samples.ts';
import { startReplica } from './replica.ts';

interface ExportPage {
  records: { id: string; chain_id: string; sequence: number; prev_hash: string; record_hash: string; usage: object }[];
  checkpoints: { chain_id: string; sequence: number; chain_hash: string; key_id: string; signature: string }[];
  head?: { sequence: number; signed_at: string };
  chain_starts?: { chain_id: string; previous_chain_id: string; previous_sequence: number }[];
  next_cursor?: string;
  resume_cursor: string;
}

const EXPORT = 'GET /v1/metering/usage/export';
const REPORT = 'POST /gateway/v1/gateways/{gateway_id}/tool-calls';

/** A clock that a test moves. */
class SettableClock extends Clock {
  time = new Date('2026-01-31T23:59:00.000Z');
  override now(): Date {
    return this.time;
  }
}

const GATEWAYS = ['other', 'months', 'slow', 'races', 'cut'];

describe('the export of tool calls', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ gateways: GATEWAYS });
  }, 180_000);
  afterAll(() => manager.close());

  const report = async (calls: unknown[], gateway_id = 'local', on = manager) => {
    const { status, body } = await on.client.call<{ results: { status: string }[] }>(REPORT, {
      token: on.tokens.gateway,
      path: { gateway_id },
      body: { calls },
    });
    expect([status, new Set(body.results.map((one) => one.status))]).toEqual([200, new Set(['stored'])]);
  };
  const readPage = (query: Record<string, unknown> = {}, token = manager.tokens.admin, on = manager) =>
    on.client.call<ExportPage & { error: string }>(EXPORT, {
      token,
      query: { gateway_id: 'local', limit: 500, ...query },
    });
  const readAll = async (query: Record<string, unknown>, on = manager, token = on.tokens.admin) => {
    const pages: ExportPage[] = [];
    for (let cursor: string | undefined; ;) {
      const { status, body } = await readPage({ ...query, ...(cursor !== undefined && { cursor }) }, token, on);
      expect(status).toBe(200);
      pages.push(body);
      if (body.next_cursor === undefined) return pages;
      cursor = body.next_cursor;
    }
  };
  const readKeySet = async (on = manager): Promise<unknown> =>
    (await fetch(`${on.baseUrl}/.well-known/jwks.json`)).json();
  const verifyPages = async (pages: unknown[], options: Partial<VerificationOptions> = {}, on = manager) => {
    const verifier = new ToolCallVerifier({ jwks: await readKeySet(on), ...options });
    for (const [at, each] of pages.entries()) await verifier.take(each, `page ${at + 1}`);
    const result = verifier.result();
    const second = findExportFault(pages, await readKeySet(on), options);
    expect([second, result.bad?.reason].filter((reason) => reason === undefined)).not.toHaveLength(1);
    return result;
  };

  it('is one chain from sequence 1, with linked records and a signature that the key set verifies', async () => {
    for (let batch = 0; batch < 3; batch += 1)
      await report(
        Array.from({ length: 4 }, () => toolCall({ groups: [{ id: 'a', name: 'Ünïcode 😀' }], duration_ms: 3 })),
      );
    const pages = await readAll({ limit: 5 });
    const records = pages.flatMap((each) => each.records);
    expect(records.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    const month = new Date().toISOString().slice(0, 7);
    let before = '';
    for (const { id, chain_id, sequence, prev_hash, record_hash, usage } of records) {
      expect([chain_id, prev_hash]).toEqual([`local:${month}`, before]);
      expect(id).toBe((usage as { call_id: string }).call_id);
      expect(recordHash({ chain_id, sequence, prev_hash }, usageText(usage))).toBe(record_hash);
      before = record_hash;
    }
    for (const each of pages) expect(each.checkpoints.at(-1)?.chain_hash).toBe(each.records.at(-1)?.record_hash);
    const result = await verifyPages(pages);
    expect(result).toMatchObject({ records: 12, chains: [{ attested: 12, last_sequence: 12, chain_hash: before }] });
    expect(result).not.toHaveProperty('bad');
  });

  it('has a signed head on its newest page, which reveals a truncated export', async () => {
    const gateway_id = 'cut';
    expect((await readPage({ gateway_id })).body).toMatchObject({ records: [], head: { sequence: 0 } });
    const before = new Date().toISOString();
    await report(
      Array.from({ length: 6 }, () => toolCall()),
      gateway_id,
    );
    const pages = await readAll({ gateway_id, limit: 2 });
    expect(pages.map(({ head }) => head?.sequence)).toEqual([undefined, undefined, 6]);
    expect((pages.at(-1)?.head?.signed_at ?? '') >= before).toBe(true);
    expect(await verifyPages(pages)).toMatchObject({ records: 6, complete_at: pages.at(-1)?.head?.signed_at });
    const [first, , last] = pages as [ExportPage, ExportPage, ExportPage];
    const { next_cursor: _, ...cut } = first;
    expect((await verifyPages([first])).bad?.reason).toMatch(/next_cursor/);
    expect((await verifyPages([cut])).bad?.reason).toMatch(/no signed head/);
    expect((await verifyPages([{ ...cut, head: last.head }])).bad?.reason).toMatch(/the signed head names/);
    expect((await verifyPages([first], { through: 2 })).bad).toBeUndefined();
    expect((await verifyPages([])).bad?.reason).toMatch(/no record in it/);
    // A reader that continues at its cursor gets the head too.
    const rest = (await readPage({ gateway_id, limit: 2, cursor: last.resume_cursor })).body;
    expect(rest).toMatchObject({ records: [], head: { sequence: 6 } });
    expect((await verifyPages([...pages, rest])).bad).toBeUndefined();
    // A filtered export has no signed head, because it omits records.
    for (const filter of [{ environment: 'local' }, { start: before }, { end: '2999-01-01T00:00:00Z' }])
      expect((await readPage({ gateway_id, ...filter })).body).not.toHaveProperty('head');
    expect((await readPage({ gateway_id }, manager.tokens.alice)).body).not.toHaveProperty('head');
  });

  it('reports the first record that was changed, dropped, doubled, moved, inserted or signed with another key', async () => {
    await report(
      Array.from({ length: 6 }, () => toolCall()),
      'other',
    );
    const [whole] = (await readAll({ gateway_id: 'other' })) as [ExportPage];
    const [local] = (await readAll({ limit: 500 })) as [ExportPage];
    const { records, checkpoints } = whole;
    const [checkpoint] = checkpoints.slice(-1);
    const changeRecord = (fields: object) =>
      records.map((one, at) => (at === 2 ? { ...one, usage: { ...one.usage, ...fields } } : one));
    const swapped = [0, 1, 3, 2, 4, 5].map((at) => records[at]);
    const cases: [string, Partial<ExportPage> | object, number, RegExp][] = [
      ['a changed decision', { records: changeRecord({ decision: 'denied' }) }, 3, /changed/],
      ['an added member', { records: changeRecord({ more: 1 }) }, 3, /changed/],
      ['a dropped record', { records: records.filter((_, at) => at !== 2) }, 4, /record 3 before it is missing/],
      ['two dropped records', { records: records.filter((_, at) => at !== 2 && at !== 3) }, 5, /records 3 to 4/],
      ['a dropped first record', { records: records.slice(1) }, 2, /records 1 to 1/],
      ['a dropped last record', { records: records.slice(0, -1) }, 6, /but not the record/],
      ['a doubled record', { records: records.flatMap((one, at) => (at === 2 ? [one, one] : [one])) }, 3, /twice/],
      ['records in another order', { records: swapped }, 4, /record 3 before it is missing/],
      ['an old record at the end', { records: [...records, records[1]] }, 2, /out of order/],
      [
        'a record of another chain',
        { records: records.flatMap((one, at) => (at === 2 ? [local.records[0], one] : [one])) },
        1,
        /no signed beginning of its chain/,
      ],
      ['a stripped signature', { checkpoints: [] }, 1, /no signed checkpoint/],
      ['a forged signature', { checkpoints: [{ ...checkpoint, signature: 'A'.repeat(86) }] }, 6, /signature/],
      ['a checkpoint of another place', { checkpoints: [{ ...checkpoint, sequence: 5 }] }, 5, /signature/],
      ['a checkpoint of an unknown key', { checkpoints: [{ ...checkpoint, key_id: 'mine' }] }, 6, /key/],
    ];
    for (const [what, tampered, sequence, reason] of cases) {
      const { bad } = await verifyPages([{ ...whole, ...tampered }]);
      expect([what, bad?.sequence, bad?.reason]).toEqual([what, sequence, expect.stringMatching(reason)]);
    }
    expect((await verifyPages([{ ...whole, records: [{}] }])).bad?.reason).toMatch(/not a record/);
    expect((await verifyPages(['x'])).bad?.reason).toMatch(/not a page/);
  });

  it('verifies each record of a filtered export, and continuity only without missing records', async () => {
    const start = new Date(Date.now() - 300 * 86_400_000).toISOString();
    await report([
      toolCall(),
      toolCall({ environment: 'stage', occurred_at: start }),
      toolCall(),
      toolCall({ environment: 'stage' }),
    ]);
    const pages = await readAll({ environment: 'stage' });
    expect(pages.flatMap((each) => each.records)).toHaveLength(2);
    expect((await verifyPages(pages, { filtered: true })).bad).toBeUndefined();
    expect((await verifyPages(pages, { filtered: true })).chains[0]).toMatchObject({ gaps: 2, records: 2 });
    expect((await verifyPages(pages)).bad?.reason).toMatch(/missing/);
    const tampered = structuredClone(pages);
    Object.assign(tampered[0]?.records[1]?.usage ?? {}, { billable: false });
    expect((await verifyPages(tampered, { filtered: true })).bad?.reason).toMatch(/changed/);
    const ofTime = await readAll({ start, end: new Date(Date.parse(start) + 1).toISOString() });
    expect(ofTime.flatMap((each) => each.records)).toHaveLength(1);
  });

  it('contains all calls for administrators and auditors, and their own calls for other callers', async () => {
    const user_id = await manager.findUserId('alice');
    const connector_id = await makeVisible(manager, ['alice']);
    await report([toolCall({ connector_id }), toolCall({ connector_id, user_id }), toolCall({ user_id })]);
    const own = await readAll({}, manager, manager.tokens.alice);
    expect(own.flatMap((each) => each.records).map(({ usage }) => (usage as { user_id: string }).user_id)).toEqual([
      user_id,
    ]);
    expect((await verifyPages(own, { filtered: true })).bad).toBeUndefined();
    expect((await readAll({}, manager, manager.tokens.stranger)).flatMap((each) => each.records)).toEqual([]);
    expect((await readPage({}, manager.tokens.gateway)).status).toBe(403);
    expect((await readPage({}, manager.tokens.auditor)).status).toBe(200);
  });

  it('refuses cursors of another gateway, filter or reader, and invalid ranges', async () => {
    const { resume_cursor: cursor } = (await readPage({ limit: 1 })).body;
    for (const query of [
      { gateway_id: 'other', cursor },
      { environment: 'x', cursor },
      { start: '2026-01-01T00:00:00Z', cursor },
      { cursor: 'forged' },
      { limit: 0 },
      { before: cursor },
      { start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' },
    ])
      expect([query, (await readPage(query)).status]).toEqual([query, 400]);
    expect((await readPage({ cursor }, manager.tokens.auditor)).status).toBe(400);
    expect((await readPage({ gateway_id: 'none' })).status).toBe(404);
    expect((await readPage({ cursor, limit: 10_000 })).status).toBe(200);
  });

  it('returns each record once and in order to a reader with a cursor, while two replicas commit records late', async () => {
    // Every other transaction that stores a record waits before its commit, for up to 60 ms.
    await manager.sql(`CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF random() < 0.5 THEN PERFORM pg_sleep(random() * 0.06); END IF; RETURN NULL; END $$`);
    await manager.sql(
      `CREATE CONSTRAINT TRIGGER late AFTER INSERT ON tool_call_claims DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late()`,
    );
    const replica = await startReplica(manager, {
      environment: { GATEWAYS: createGatewaysSetting(manager.issuer, GATEWAYS) },
    });
    const seen: { id: string; sequence: number }[] = [];
    const ended = new AbortController();
    const reader = (async () => {
      for (let cursor: string | undefined, last = false; ; last = ended.signal.aborted) {
        const { body } = await readPage({ gateway_id: 'races', limit: 20, ...(cursor !== undefined && { cursor }) });
        seen.push(...body.records.map(({ id, sequence }) => ({ id, sequence })));
        cursor = body.resume_cursor;
        if (last && body.next_cursor === undefined) return;
      }
    })();
    const sent: string[] = [];
    const urls = [manager.baseUrl, replica.url];
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let batch = 0; batch < 10; batch += 1) {
          const calls = Array.from({ length: 1 + (batch % 3) }, () => toolCall());
          sent.push(...calls.map(({ call_id }) => call_id));
          const response = await fetch(`${urls[writer % 2]}/gateway/v1/gateways/races/tool-calls`, {
            method: 'POST',
            headers: { authorization: `Bearer ${manager.tokens.gateway}`, 'content-type': 'application/json' },
            body: JSON.stringify({ calls }),
          });
          expect(response.status).toBe(200);
          await response.text();
        }
      }),
    );
    ended.abort();
    await reader;
    await manager.sql('DROP TRIGGER late ON tool_call_claims');
    await replica.kill();
    expect(seen.map(({ sequence }) => sequence)).toEqual(sent.map((_, at) => at + 1));
    expect(seen.map(({ id }) => id).sort()).toEqual(sent.sort());
    expect((await verifyPages(await readAll({ gateway_id: 'races' }))).bad).toBeUndefined();
  }, 120_000);

  it('never returns a record after an uncommitted one', async () => {
    await report([toolCall()], 'slow');
    const first = (await readPage({ gateway_id: 'slow' })).body;
    const client = new pg.Client({ connectionString: manager.database.adminUrl });
    await client.connect();
    // A transaction locks the head of the chain: later writers wait, readers do not.
    await client.query('BEGIN');
    await client.query(`SELECT FROM tool_call_heads WHERE gateway_id = 'slow' FOR UPDATE`);
    let ended = false;
    const waiting = report([toolCall(), toolCall()], 'slow').then(() => (ended = true));
    await report([toolCall()]);
    const meanwhile = (await readPage({ gateway_id: 'slow', cursor: first.resume_cursor })).body;
    expect([ended, meanwhile.records, meanwhile.next_cursor]).toEqual([false, [], undefined]);
    await client.query('ROLLBACK');
    await client.end();
    await waiting;
    const after = (await readPage({ gateway_id: 'slow', cursor: meanwhile.resume_cursor })).body;
    expect(after.records.map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect((await verifyPages([first, after])).bad).toBeUndefined();
    expect((await verifyPages([after], { continued: true })).bad).toBeUndefined();
  });

  it('begins a chain with each UTC month of arrival, and never returns to an earlier one', async () => {
    const clock = new SettableClock();
    const dated = await startManager({
      gateways: GATEWAYS,
      environment: { TOOL_CALL_RETENTION_DAYS: '7300' },
      clock,
    });
    try {
      await dated.sql(`SELECT ensure_tool_call_partitions('2026-01-01', '2026-03-01')`);
      const late = toolCall({ occurred_at: '2025-06-01T00:00:00.000Z' });
      await report([toolCall({ occurred_at: clock.time.toISOString() }), late], 'months', dated);
      clock.time = new Date('2026-02-01T00:00:00.000Z');
      await report([toolCall({ occurred_at: clock.time.toISOString() })], 'months', dated);
      // The clock of another replica is behind; its records belong to the month that has begun.
      clock.time = new Date('2026-01-31T23:59:59.000Z');
      await report([toolCall({ occurred_at: clock.time.toISOString() })], 'months', dated);
      const pages = await readAll(
        { gateway_id: 'months' },
        dated,
        await dated.issuer.token({ subject: 'admin', roles: ['admin'] }),
      );
      expect(pages.flatMap((each) => each.records).map(({ chain_id, sequence }) => [chain_id, sequence])).toEqual([
        ['months:2026-01', 1],
        ['months:2026-01', 2],
        ['months:2026-02', 1],
        ['months:2026-02', 2],
      ]);
      expect((await verifyPages(pages, {}, dated)).bad).toBeUndefined();
      expect(pages.flatMap(({ chain_starts = [] }) => chain_starts)).toMatchObject([
        { chain_id: 'months:2026-01', previous_chain_id: '', previous_sequence: 0 },
        { chain_id: 'months:2026-02', previous_chain_id: 'months:2026-01', previous_sequence: 2 },
      ]);
      const homes = await dated.sql<{ home: string }>(
        `SELECT DISTINCT tableoid::regclass::text AS home FROM tool_calls ORDER BY 1`,
      );
      expect(homes.map(({ home }) => home)).toEqual(['tool_calls_2026_01', 'tool_calls_2026_02']);
    } finally {
      await dated.close();
    }
  }, 180_000);

  it('stores checkpoints, so that a replaced history is detected', async () => {
    const [whole] = (await readAll({ gateway_id: 'other' })) as [ExportPage];
    // An attacker with the rights of the owner changes a record and its hash.
    await manager.sql(
      `UPDATE tool_calls SET tool_name = 'harmless', record_hash = $1 WHERE gateway_id = 'other' AND sequence = 6`,
      [
        Buffer.from(
          recordHash(
            { chain_id: whole.records[5]!.chain_id, sequence: 6, prev_hash: whole.records[5]!.prev_hash },
            usageText({ ...whole.records[5]!.usage, tool_name: 'harmless' }),
          ),
          'hex',
        ),
      ],
    );
    const { bad } = await verifyPages(await readAll({ gateway_id: 'other' }));
    expect([bad?.sequence, bad?.reason]).toEqual([6, expect.stringMatching(/not the record that was signed/)]);
    for (const text of [
      `UPDATE tool_calls SET tool_name = 'x'`,
      'DELETE FROM tool_calls',
      'DELETE FROM tool_call_checkpoints',
      `UPDATE tool_call_checkpoints SET signature = ''`,
    ]) {
      const service = new pg.Client({ connectionString: manager.database.url });
      await service.connect();
      await expect(service.query(text)).rejects.toThrow(/permission denied/);
      await service.end();
    }
  });
});
