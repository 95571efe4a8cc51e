import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { Dice } from './ledger-dice.ts';
import { toolCall } from './metering-samples.ts';

interface Series {
  buckets: { bucket_start: string; breakdown: { key: string; tool_call_count: number }[] }[];
}

const [HOUR, DAY] = [3_600_000, 86_400_000];
const [FIRST, LAST] = [Date.UTC(2026, 0, 20), Date.UTC(2026, 3, 10)];
const gateway_id = 'long';

/** The key of a call in a series, by dimension. */
const KEYS = {
  tool: ({ tool_name }: ReportedCall) => tool_name,
  connector: ({ connector_id }: ReportedCall) => connector_id ?? '',
};

interface ReportedCall {
  tool_name: string;
  connector_id?: string;
}

describe('the most called tools and connectors of a long series of hours', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({
      gateways: [gateway_id],
    });
  }, 180_000);
  afterAll(() => manager.close());

  it('are selected by the records, independent of the sums of months', async () => {
    const dice = new Dice(20_261_122);
    // Each tool has its own weeks, so sums of months do not determine the ranks within a range.
    const calls = Array.from({ length: 4_000 }, () => {
      const at = dice.between(FIRST, LAST - 1);
      const week = Math.floor((at - FIRST) / DAY / 7);
      const tool = dice.pick([week % 5, (week * 3) % 11, dice.between(0, 11), dice.between(0, 29)]);
      return {
        ...toolCall({ outcome: 'ok' }),
        occurred_at: new Date(at).toISOString(),
        tool_name: `tool-${tool}`,
        // Calls of one tool have no connector.
        ...(tool !== 3 && { connector_id: `00000000-0000-4000-8000-0000000000${String(tool).padStart(2, '0')}` }),
        environment: dice.pick(['local', 'stage']),
      };
    });
    await report(calls);
    const ranges = Array.from({ length: 25 }, () => {
      const length = dice.between(11 * DAY, 41 * DAY);
      const start = dice.between(FIRST - 5 * DAY, LAST - 6 * DAY);
      return { start: new Date(start).toISOString(), end: new Date(start + length).toISOString() };
    });
    for (const range of [...ranges, { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' }])
      for (const [dimension, environment] of [
        ['tool', undefined],
        ['tool', 'stage'],
        ['connector', undefined],
        ['connector', 'stage'],
      ] as const) {
        const { body } = await manager.client.call<Series>('GET /v1/metering/usage/timeseries', {
          token: manager.tokens.admin,
          query: {
            gateway_id,
            ...range,
            dimension,
            bucket_width_seconds: 3_600,
            ...(environment && { environment }),
          },
        });
        const getKey = KEYS[dimension];
        const kept = calls.filter(
          (call) =>
            range.start <= call.occurred_at &&
            call.occurred_at < range.end &&
            (environment === undefined || call.environment === environment),
        );
        const ranked = [...countBy(kept.map(getKey))]
          .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
          .map(([key]) => key);
        const shown = new Set(ranked.slice(0, Math.floor(2_500 / body.buckets.length)));
        const expected = countBy(
          kept.map((call) => {
            const hour = new Date(Math.floor(Date.parse(call.occurred_at) / HOUR) * HOUR).toISOString();
            return `${hour} ${shown.has(getKey(call)) ? getKey(call) : 'other'}`;
          }),
        );
        const counts = body.buckets.flatMap(({ bucket_start, breakdown }) =>
          breakdown.map(({ key, tool_call_count }): [string, number] => [`${bucket_start} ${key}`, tool_call_count]),
        );
        expect(new Map(counts)).toEqual(expected);
      }
  }, 120_000);

  async function report(calls: readonly object[]): Promise<void> {
    for (let at = 0; at < calls.length; at += 1_000) {
      const { body } = await manager.client.call<{ results: { status: string }[] }>(
        'POST /gateway/v1/gateways/{gateway_id}/tool-calls',
        { token: manager.tokens.gateway, path: { gateway_id }, body: { calls: calls.slice(at, at + 1_000) } },
      );
      expect(new Set(body.results.map(({ status }) => status))).toEqual(new Set(['stored']));
    }
  }
});

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
