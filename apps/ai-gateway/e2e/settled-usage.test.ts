import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawNumber, effort } from '@gatehouse/testing/effort';
import { eventually } from '@gatehouse/testing/eventually';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ManagerClient } from '../src/manager/manager-client.ts';
import { ManagerUsageReports } from '../src/manager/manager-usage-reports.ts';
import { UsageDelivery } from '../src/settlement/usage-delivery.ts';
import { UsageOutbox } from '../src/settlement/usage-outbox.ts';
import { createIntent, createOutcome } from '../src/settlement/usage.fixture.ts';
import { GATEWAY_ID, type RealManager, startRealManager } from './support/real-manager.ts';
import { getKey } from './support/strict-manager.ts';

const ATTEMPTS = 3_000 * effort;
const KILLS = 3 * effort;
/** The rates of gpt-5 in the catalog of the release, in billionths of a dollar for one token. */
const NANO_USD = { prompt: 1_250n, completion: 10_000n };

interface ChargesPage {
  readonly charges: readonly Charge[];
  readonly next_cursor?: string;
}

/** A charge, as the list of charges shows it. */
interface Charge {
  readonly interaction_id: string;
  readonly attempt: number;
  readonly charged_usd: string;
  readonly basis: string;
}

describe('the usage outbox with the real enterprise manager', () => {
  let manager: RealManager;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
    manager = await startRealManager();
  }, 120_000);
  afterAll(async () => {
    await manager.close();
    rmSync(folder, { recursive: true });
  });

  async function listCharges(): Promise<Map<string, Charge>> {
    const found = new Map<string, Charge>();
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ limit: '1000', ...(cursor !== undefined && { cursor }) });
      const page = await manager.call<ChargesPage>('admin', 'GET', `/v1/budgets/charges?${query.toString()}`);
      for (const charge of page.charges) {
        expect(found.has(getKey(charge))).toBe(false);
        found.set(getKey(charge), charge);
      }
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return found;
  }

  it(
    'charges each attempt once and to the last digit while the manager is killed',
    async () => {
      const client = new ManagerClient(manager.connection, GATEWAY_ID);
      const { outbox } = await UsageOutbox.open({ folder, gatewayId: GATEWAY_ID, maxEvents: 100_000 });
      const problems: string[] = [];
      const delivery = new UsageDelivery(outbox, new ManagerUsageReports(client), {
        handleReceipt: () => undefined,
        handleProblem: ({ status, error }) => problems.push(`${status}: ${error}`),
        handleOutage: () => undefined,
        handleRecovery: () => undefined,
      });
      delivery.start();

      const expected = new Map<string, string>();
      const record = async (number: number) => {
        const principal = { issuer: manager.issuer.issuer, subject: 'alice' };
        const event_time = new Date().toISOString();
        const intent = { ...createIntent(number), principal, event_time, model: 'gpt-5' };
        const usage = {
          prompt_tokens: Math.floor(drawNumber(`prompt ${number}`) * 1e5),
          completion_tokens: Math.floor(drawNumber(`completion ${number}`) * 1e4),
        };
        const nano =
          BigInt(usage.prompt_tokens) * NANO_USD.prompt + BigInt(usage.completion_tokens) * NANO_USD.completion;
        const digits = nano.toString().padStart(10, '0');
        expected.set(getKey(intent), `${digits.slice(0, -9)}.${digits.slice(-9)}`);
        outbox.begin(intent);
        await outbox.finish(intent, createOutcome({ raw_usage: usage }));
      };
      const recordAll = async () => {
        for (let number = 0; number < ATTEMPTS; number += 10) {
          await Promise.all(Array.from({ length: 10 }, (_, at) => record(number + at)));
          await sleep(5);
        }
      };
      const killAll = async () => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          await sleep(200 + drawNumber(`kill ${kill}`) * 400);
          await manager.kill();
          await manager.restart();
        }
      };
      await Promise.all([recordAll(), killAll()]);
      await eventually(() => outbox.counts.waiting === 0, 'all events are delivered', 60_000);
      await delivery.stop(1_000);
      await outbox.close();

      expect(problems).toEqual([]);
      const charges = await listCharges();
      const amounts = new Map([...charges].map(([key, { charged_usd }]) => [key, charged_usd]));
      expect(amounts).toEqual(expected);
      expect(new Set([...charges.values()].map(({ basis }) => basis))).toEqual(new Set(['reported']));
    },
    180_000 * effort,
  );
});
