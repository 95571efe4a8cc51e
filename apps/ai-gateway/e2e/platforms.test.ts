import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkLedger } from './support/ledger-check.ts';
import { MeteredWorld } from './support/metered-world.ts';
import { describeOpenAiSdk } from './support/openai-sdk-suite.ts';
import { createPlatformModels } from './support/platform-models.ts';
import type { SdkTarget } from './support/sdk-target.ts';

let world: MeteredWorld;
let target: SdkTarget;

beforeAll(async () => {
  world = await MeteredWorld.open({ createModels: createPlatformModels });
  const { url } = world.gateways[0]!;
  target = {
    urls: { openai: url, anthropic: url, google: url },
    keys: { openai: world.key, anthropic: world.key, google: world.key },
    readLog: () => world.vendors.readLog(),
    readsOn: true,
  };
}, 120_000);
afterAll(() => world.close());

describeOpenAiSdk(() => target);

describe('the ledger of calls to platforms', () => {
  it('has the usage that the platforms say, at the prices of the models', async () => {
    await world.untilDelivered();
    const { records, events, counts } = await checkLedger(world);
    expect(new Set(records.map(({ vendor }) => vendor))).toEqual(new Set(['azure']));
    expect(new Set(events.map(({ model }) => model))).toEqual(new Set(['gpt-5.4', 'text-embedding-3-small']));
    expect(Math.min(counts.reported, counts.free)).toBeGreaterThan(5);
  }, 120_000);
});
