import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { UsageOutbox } from './usage-outbox.ts';
import type { UsageIntent, UsageOutcome } from './usage-recorder.ts';
import { createIntent, createOutcome } from './usage.fixture.ts';

/** A step of a schedule; the number selects an attempt, or the size of a batch. */
type Step = readonly [
  'begin' | 'finish' | 'finish twice' | 'discard' | 'deliver' | 'lose the receipt' | 'end the thread' | 'restart',
  number,
];

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('begin', 'finish') },
      { weight: 2, arbitrary: fc.constantFrom('finish twice', 'discard', 'deliver', 'lose the receipt') },
      { weight: 1, arbitrary: fc.constantFrom('end the thread', 'restart') },
    ),
    fc.nat(6),
  ),
  { maxLength: 25 },
);

/** An outbox, its enterprise manager, and what must be charged for each attempt. */
class World {
  private readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
  private outbox!: UsageOutbox;
  private readonly running: UsageIntent[] = [];
  private readonly finishing: Promise<void>[] = [];
  private count = 0;
  /** The usage that each attempt must be charged by. */
  readonly expected = new Map<string, unknown>();
  readonly charged = new Map<string, unknown>();
  readonly conflicts: string[] = [];

  async open(): Promise<void> {
    ({ outbox: this.outbox } = await UsageOutbox.open({ folder: this.folder, gatewayId: 'ai-a', maxEvents: 1_000 }));
  }

  async perform([name, number]: Step): Promise<void> {
    if (name === 'begin') this.begin();
    if (name === 'finish' || name === 'finish twice') this.finish(number, name === 'finish' ? 1 : 2);
    if (name === 'discard') this.discard(number);
    if (name === 'deliver' || name === 'lose the receipt') await this.deliver(number + 1, name === 'deliver');
    if (name === 'end the thread') await this.endThread();
    if (name === 'restart') await this.restart();
  }

  /** Delivers everything as the next start does. */
  async drain(): Promise<void> {
    await this.restart();
    while (await this.deliver(1_000, true));
    await this.outbox.close();
    rmSync(this.folder, { recursive: true });
  }

  private begin(): void {
    this.count += 1;
    const intent = createIntent(this.count);
    this.outbox.begin(intent);
    this.running.push(intent);
    this.expected.set(intent.interaction_id, intent.estimated_usage);
  }

  private finish(number: number, times: number): void {
    const [intent] = this.running.splice(number, 1);
    if (intent === undefined) return;
    const outcome: UsageOutcome = createOutcome({ raw_usage: { prompt_tokens: number + this.count * 10 } });
    this.expected.set(intent.interaction_id, outcome.raw_usage);
    for (let time = 0; time < times; time += 1) this.finishing.push(this.outbox.finish(intent, outcome));
  }

  private discard(number: number): void {
    const [intent] = this.running.splice(number, 1);
    if (intent === undefined) return;
    this.outbox.discard(intent);
    this.expected.delete(intent.interaction_id);
  }

  /** @returns whether there was an event */
  private async deliver(limit: number, isReceived: boolean): Promise<boolean> {
    const batch = await this.outbox.readBatch(limit);
    if (batch === undefined) return false;
    for (const report of JSON.parse(batch.reports) as Record<string, unknown>[]) {
      const id = report['interaction_id'] as string;
      const usage = report['raw_usage'] ?? report['estimated_usage'];
      const first = this.charged.get(id);
      if (first === undefined) this.charged.set(id, usage);
      else if (JSON.stringify(first) !== JSON.stringify(usage)) this.conflicts.push(id);
    }
    if (isReceived) await this.outbox.settle(batch, []);
    return true;
  }

  /** Ends the thread of the database while it does nothing, and waits for the next one. */
  private async endThread(): Promise<void> {
    await this.settleFinishes();
    const { thread } = this.outbox as unknown as { thread: { worker: Worker | undefined } };
    const ended = thread.worker;
    await ended?.terminate();
    while (thread.worker === undefined || thread.worker === ended) await new Promise(setImmediate);
  }

  /** Every running attempt becomes an orphan. */
  private async restart(): Promise<void> {
    await this.settleFinishes();
    await this.outbox.close();
    this.running.length = 0;
    await this.open();
  }

  private async settleFinishes(): Promise<void> {
    await Promise.all(this.finishing.splice(0));
  }
}

describe('UsageOutbox with random schedules', () => {
  it(
    'charges each attempt once: by its end, or by its estimate after a restart',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (schedule) => {
          const world = new World();
          await world.open();
          for (const step of schedule) await world.perform(step);
          await world.drain();
          expect(world.conflicts).toEqual([]);
          expect(world.charged).toEqual(world.expected);
        }),
        { seed, numRuns: 15 * effort, endOnFailure: true },
      );
    },
    60_000 * effort,
  );
});
