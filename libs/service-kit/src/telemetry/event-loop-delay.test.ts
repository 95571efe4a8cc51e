import { describe, expect, it } from '@jest/globals';
import type { BatchObservableCallback, Observable } from '@opentelemetry/api';
import { createNoopMeter } from '@opentelemetry/api';
import { EventLoopDelayMonitor } from './event-loop-delay.ts';
import type { Log } from './log.ts';
import { Metrics } from './metrics.ts';

/** A monitor with readable gauges and warnings. */
function monitored(warnMs: number) {
  const names = new Map<Observable, string>();
  let callback: BatchObservableCallback | undefined;
  const meter = Object.assign(Object.create(createNoopMeter()) as ReturnType<typeof createNoopMeter>, {
    createObservableGauge: (name: string) => {
      const gauge = {} as Observable;
      names.set(gauge, name);
      return gauge;
    },
    addBatchObservableCallback: (given: BatchObservableCallback) => (callback = given),
  });
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) } as unknown as Log;
  const monitor = new EventLoopDelayMonitor({ metrics: new Metrics(meter), log, warnMs });
  const collect = async (): Promise<Record<string, number>> => {
    const values: Record<string, number> = {};
    await callback?.({ observe: (gauge, value) => void (values[names.get(gauge) ?? ''] = value) });
    return values;
  };
  return { monitor, collect, warnings };
}

const hold = (milliseconds: number) => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};
const soon = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('EventLoopDelayMonitor', () => {
  it('reports the delay in seconds since the last collection', async () => {
    const { monitor, collect } = monitored(0);
    await soon();
    hold(300);
    await soon();
    const first = await collect();
    expect(first['nodejs.eventloop.delay.max']).toBeGreaterThan(0.25);
    expect(first['nodejs.eventloop.delay.p99']).toBeGreaterThan(0);
    expect((await collect())['nodejs.eventloop.delay.max']).toBeLessThan(first['nodejs.eventloop.delay.max'] ?? 0);
    monitor.close();
  });

  it('logs a warning when the delay exceeds the threshold', async () => {
    for (const [warnMs, expected] of [
      [100, [expect.objectContaining({ threshold_ms: 100, delay_max_ms: expect.any(Number) })]],
      [60_000, []],
      [0, []],
    ] as const) {
      const { monitor, warnings } = monitored(warnMs);
      await soon();
      hold(300);
      await soon();
      monitor.close();
      expect(warnings).toEqual(expected);
    }
  });
});
