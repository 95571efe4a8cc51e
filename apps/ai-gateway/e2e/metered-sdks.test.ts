import { afterAll, beforeAll } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { pythonWith } from '@gatehouse/testing/python-environment';
import { join } from 'node:path';
import { describeAnthropicSdk } from './support/anthropic-sdk-suite.ts';
import { describeGoogleSdk } from './support/google-sdk-suite.ts';
import { MeteredWorld } from './support/metered-world.ts';
import { describeOpenAiSdk } from './support/openai-sdk-suite.ts';
import { describePythonSdks, PYTHON_FOLDER } from './support/python-sdk-suite.ts';
import { EMBEDDING_PRICE, type SdkTarget } from './support/sdk-target.ts';

let world: MeteredWorld;
let target: SdkTarget;

beforeAll(async () => {
  world = await MeteredWorld.open({ environment: { ADDITIONAL_PRICES: JSON.stringify([EMBEDDING_PRICE]) } });
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
describeWhen(await pythonWith('sdks', join(PYTHON_FOLDER, 'requirements.txt')), 'Python', (python) =>
  describePythonSdks(python, () => target),
);
