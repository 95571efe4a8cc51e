import { afterEach, describe, expect, it } from '@jest/globals';
import { estimateModelRequest } from '@gatehouse/money/estimate';
import { type Usd, readUsd } from '@gatehouse/money/usd';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { AdmittedAttempt } from './admission.ts';
import { createAdmission, createPrincipal, stopAdmissions } from './admission.fixture.ts';
import { computeAttemptCharge } from './lease.ts';
import { FakeClock, FakeManager, PRICES } from './manager.fixture.ts';

afterEach(stopAdmissions);

/** Attempts end before their lease does, so that their usage is always reserved. */
const LONGEST_ATTEMPT_MS = 240_000;
const RATES = PRICES.find('openai', 'gpt')!;

type Step =
  | { kind: 'admit'; gateway: number; sizes: number[] }
  | { kind: 'finish'; index: number; share: number }
  | { kind: 'advance'; ms: number }
  | { kind: 'fault'; when: 'before' | 'after'; times: number }
  | { kind: 'key' }
  | { kind: 'forget'; gateway: number }
  | { kind: 'limit'; usd: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('admit' as const),
      gateway: fc.integer({ min: 0, max: 1 }),
      sizes: fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 30 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('finish' as const),
      index: fc.nat(1_000),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      when: fc.constantFrom('before' as const, 'after' as const),
      times: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('key' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('forget' as const), gateway: fc.integer({ min: 0, max: 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('limit' as const), usd: fc.integer({ min: 0, max: 3 }) }) },
);

interface Running {
  readonly attempt: AdmittedAttempt;
  readonly size: number;
  readonly startedAt: number;
}

/** Two gateways with one budget, and the usage that they report. */
class SharedBudget {
  readonly clock = new FakeClock();
  readonly manager = new FakeManager(this.clock);
  readonly gateways = [0, 1].map(() => createAdmission(this.manager, this.clock));
  private running: Running[] = [];
  private keyVersion = 1;
  charged = 0n;
  /** A lease is returned once: what its later attempts do not use is held until it expires. */
  late = 0n;

  constructor() {
    this.manager.limit = readUsd('2');
  }

  async run(one: Step): Promise<void> {
    switch (one.kind) {
      case 'admit':
        await this.admit(one.gateway, one.sizes);
        break;
      case 'finish':
        this.finish(this.running[one.index % this.running.length], one.share);
        break;
      case 'advance':
        await this.advance(one.ms);
        break;
      case 'fault':
        this.breakCalls(one.when, one.times);
        break;
      case 'key':
        this.manager.keyVersion = this.keyVersion += 1;
        break;
      case 'forget':
        this.gateways[one.gateway]?.admission.forget('key:k');
        break;
      case 'limit':
        this.changeLimit(readUsd(String(one.usd)));
    }
    await new Promise(setImmediate);
    this.check();
  }

  /** Ends all attempts and waits until everything unused is returned. */
  async end(): Promise<void> {
    this.manager.before = this.manager.after = () => undefined;
    while (this.running.length > 0) this.finish(this.running[0], 1);
    // Real time passes for the pauses between pings. Simulated time stays before an expiry.
    for (let round = 0; round < 60 && this.leased > this.late; round += 1) {
      await sleep(round < 20 ? 1 : 50);
      await this.advance(round < 20 ? 1_000 : 0);
    }
  }

  /** The amount that leases hold. A reservation whose answer was lost expires by itself. */
  get leased(): Usd {
    const leases = [...this.manager.held].filter(([id]) => !id.startsWith('interaction'));
    return leases.reduce((sum, [, { held }]) => sum + held, 0n);
  }

  private async admit(gateway: number, sizes: readonly number[]): Promise<void> {
    const principal = createPrincipal(this.keyVersion);
    const startedAt = this.clock.now().getTime();
    const admit = async (size: number) => {
      const estimate = { promptTokens: 10, maxOutputTokens: size };
      try {
        const attempt = await this.gateways[gateway]!.admit({ principal, estimate });
        this.running.push({ attempt, size, startedAt });
      } catch (error) {
        expect(error).toBeInstanceOf(ModelCallError);
        expect(['budget_exceeded', 'unavailable']).toContain((error as ModelCallError).failure);
      }
    };
    await Promise.all(sizes.map(admit));
  }

  private finish(one: Running | undefined, share: number): void {
    if (one === undefined) return;
    this.running = this.running.filter((other) => other !== one);
    const usage = { prompt_tokens: 10, completion_tokens: Math.floor(one.size * share) };
    const estimate = estimateModelRequest(RATES, 'gpt', { promptTokens: 10, maxOutputTokens: one.size });
    const charge = computeAttemptCharge(RATES, usage, estimate);
    const id = String(one.attempt.reservationId);
    expect(this.manager.held.get(id)?.held).toBeGreaterThanOrEqual(charge);
    if (this.manager.held.get(id)?.isReturned === true) this.late += estimate - charge;
    this.manager.settle(id, charge, !id.startsWith('interaction'));
    this.charged += charge;
    one.attempt.finish(usage);
  }

  private async advance(ms: number): Promise<void> {
    for (let left = ms; left >= 0; left -= 1_000) {
      this.clock.advance(Math.min(1_000, left));
      const now = this.clock.now().getTime();
      for (const one of this.running.filter(({ startedAt }) => now - startedAt >= LONGEST_ATTEMPT_MS))
        this.finish(one, 1);
      for (const { admission } of this.gateways) admission.sweep();
      await new Promise(setImmediate);
      this.check();
    }
  }

  private breakCalls(when: 'before' | 'after', times: number): void {
    let left = times;
    this.manager[when] = () => {
      if ((left -= 1) >= 0) throw new Error('connection reset');
    };
  }

  /** A limit below the used and reserved amount is no limit of what was reserved before. */
  private changeLimit(limit: Usd): void {
    const committed = this.manager.used + this.manager.reserved;
    this.manager.limit = limit > committed ? limit : committed;
  }

  private check(): void {
    expect(this.manager.used + this.manager.reserved).toBeLessThanOrEqual(this.manager.limit ?? 0n);
  }
}

describe('LeasedAdmission of two gateways with one budget', () => {
  it('never spends more than the limit, and returns all that is unused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const budget = new SharedBudget();
        for (const one of steps) await budget.run(one);
        await budget.end();
        expect(budget.manager.used).toBe(budget.charged);
        expect(budget.leased).toBeLessThanOrEqual(budget.late);
        await stopAdmissions();
      }),
      {
        numRuns: 40 * effort,
        seed,
        interruptAfterTimeLimit: 60_000 * effort,
        markInterruptAsFailure: true,
        endOnFailure: true,
      },
    );
  }, 300_000);
});
