import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBedrockModels } from './support/bedrock-models.ts';
import { checkLedger } from './support/ledger-check.ts';
import {
  createLedgerRequest,
  createRandom,
  type LedgerRequest,
  type Random,
  sendLedgerRequest,
} from './support/ledger-requests.ts';
import { MeteredWorld } from './support/metered-world.ts';

const REQUESTS = 400 * effort;
const CLIENTS = 12;

describe.each([
  ['the vendors', {}],
  ['Amazon Bedrock', { createModels: createBedrockModels }],
])('the ledger of model calls to %s', (_, models) => {
  let world: MeteredWorld;
  beforeAll(async () => {
    world = await MeteredWorld.open({ gateways: 2, ...models });
  }, 120_000);
  afterAll(() => world.close());

  it(
    `agrees with the vendors about ${REQUESTS} requests with faults, disconnects and kills`,
    async () => {
      const random = createRandom(seed);
      const disturbances = new AbortController();
      const disturbing = disturb(world, random, disturbances.signal);
      await sendAll(world, random);
      disturbances.abort();
      await disturbing;
      await world.untilDelivered();
      const { records, events, counts } = await checkLedger(world);
      console.info(`${records.length} requests at vendors, ${events.length} events: ${JSON.stringify(counts)}`);
      expect(Math.min(counts.reported, counts.free)).toBeGreaterThan(10);
    },
    300_000 * effort,
  );
});

async function sendAll(world: MeteredWorld, random: Random): Promise<void> {
  const requests = Array.from({ length: REQUESTS }, () => createLedgerRequest(random, world.key));
  const send = async (at: number): Promise<void> => {
    for (let next = at; next < requests.length; next += CLIENTS) {
      const gateway = world.gateways[next % world.gateways.length];
      // A gateway that was killed refuses connections; its calls are lost, and that is the point.
      if (gateway !== undefined)
        await sendLedgerRequest(gateway.url, requests[next] as LedgerRequest).catch(() => sleep(50));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => send(at)));
}

/** Kills gateways and restarts the manager until the requests are sent. */
async function disturb({ gateways, manager }: MeteredWorld, random: Random, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(1_500 + 2_000 * random(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    if (random() < 0.3) {
      await manager.stop();
      await manager.restart();
    } else {
      const gateway = gateways[Math.floor(random() * gateways.length)];
      await gateway?.kill();
      await gateway?.start();
    }
  }
}
