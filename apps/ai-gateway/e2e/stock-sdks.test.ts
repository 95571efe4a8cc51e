import { afterAll, beforeAll } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { startModelVendors, VENDOR_KEYS } from '@gatehouse/testing/model-vendors';
import { pythonWith } from '@gatehouse/testing/python-environment';
import { join } from 'node:path';
import { describeAnthropicSdk } from './support/anthropic-sdk-suite.ts';
import { describeGoogleSdk } from './support/google-sdk-suite.ts';
import { describeOpenAiSdk } from './support/openai-sdk-suite.ts';
import { describePythonSdks, PYTHON_FOLDER } from './support/python-sdk-suite.ts';
import type { SdkTarget } from './support/sdk-target.ts';

let target: SdkTarget;
let close: () => Promise<void>;

beforeAll(async () => {
  const vendors = await startModelVendors();
  target = { urls: vendors.urls, keys: VENDOR_KEYS, readLog: () => vendors.readLog(), readsOn: false };
  close = () => vendors.close();
});
afterAll(() => close());

describeOpenAiSdk(() => target);
describeAnthropicSdk(() => target);
describeGoogleSdk(() => target);
describeWhen(await pythonWith('sdks', join(PYTHON_FOLDER, 'requirements.txt')), 'Python', (python) =>
  describePythonSdks(python, () => target),
);
