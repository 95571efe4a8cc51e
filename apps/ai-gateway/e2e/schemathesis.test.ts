import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { findContractFaults, SCHEMATHESIS_TIMEOUT_MS, schemathesisPython } from '@gatehouse/testing/schemathesis';
import { startWithIssuer } from './support/service.ts';

describeWhen(await schemathesisPython(), 'schemathesis on ai-gateway', (python) => {
  let service: Awaited<ReturnType<typeof startWithIssuer>>;

  beforeAll(async () => {
    service = await startWithIssuer();
  });
  afterAll(() => service.close());

  it(
    'finds that every operation answers as its document says',
    async () => {
      const token = await service.issuer.token({ roles: ['admin'] });
      const fuzzed = { name: 'ai-gateway', baseUrl: service.url, tokenFor: () => token };
      expect(await findContractFaults(python, fuzzed)).toEqual([]);
    },
    SCHEMATHESIS_TIMEOUT_MS,
  );
});
