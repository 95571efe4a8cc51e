import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeAnthropicSdk } from './support/anthropic-sdk-suite.ts';
import { describeGoogleSdk } from './support/google-sdk-suite.ts';
import { checkLedger } from './support/ledger-check.ts';
import { MeteredWorld } from './support/metered-world.ts';
import { describeOpenAiSdk } from './support/openai-sdk-suite.ts';
import { createPlatformModels } from './support/platform-models.ts';
import { EMBEDDING_PRICE, SDK_MODELS, type SdkTarget } from './support/sdk-target.ts';

let world: MeteredWorld;
let target: SdkTarget;

beforeAll(async () => {
  world = await MeteredWorld.open({
    environment: { ADDITIONAL_PRICES: JSON.stringify([EMBEDDING_PRICE]) },
    createModels: createPlatformModels,
  });
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
describeAnthropicSdk(() => target);
describeGoogleSdk(() => target);

describe('the ledger of calls to platforms', () => {
  it('has the usage that the platforms say, at the prices of the models', async () => {
    await world.untilDelivered();
    const { records, events, counts } = await checkLedger(world, [EMBEDDING_PRICE]);
    expect(new Set(records.map(({ vendor }) => vendor))).toEqual(new Set(['azure', 'vertex', 'google']));
    expect(new Set(events.map(({ model }) => model))).toEqual(new Set(Object.values(SDK_MODELS)));
    expect(Math.min(counts.reported, counts.free)).toBeGreaterThan(5);
  }, 120_000);
});
