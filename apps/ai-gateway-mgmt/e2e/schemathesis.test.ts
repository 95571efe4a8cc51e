import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { findContractFaults, SCHEMATHESIS_TIMEOUT_MS, schemathesisPython } from '@gatehouse/testing/schemathesis';
import { startWithIssuer } from './support/folder-service.ts';

describeWhen(await schemathesisPython(), 'schemathesis on ai-gateway-mgmt', (python) => {
  let service: Awaited<ReturnType<typeof startWithIssuer>>;

  beforeAll(async () => {
    service = await startWithIssuer();
  });
  afterAll(() => service.close());

  it(
    'finds that every operation answers as its document says',
    async () => {
      const token = await service.issuer.token({ roles: ['admin'] });
      const fuzzed = { name: 'ai-gateway-mgmt', baseUrl: service.url, tokenFor: () => token };
      expect(await findContractFaults(python, fuzzed)).toEqual([]);
    },
    SCHEMATHESIS_TIMEOUT_MS,
  );
});
