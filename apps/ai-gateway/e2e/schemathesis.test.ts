import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Service } from '@gatehouse/service-kit/start';
import { describeWhen } from '@gatehouse/testing/fixture';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { findContractFaults, SCHEMATHESIS_TIMEOUT_MS, schemathesisPython } from '@gatehouse/testing/schemathesis';
import { serviceEnvironment } from '@gatehouse/testing/service-environment';
import { startService } from './service.ts';

describeWhen(await schemathesisPython(), 'schemathesis on ai-gateway', (python) => {
  let issuer: TestIssuer;
  let service: Service;

  beforeAll(async () => {
    issuer = await startIssuer();
    service = await startService(serviceEnvironment(issuer));
  });
  afterAll(async () => {
    await service.close();
    await issuer.close();
  });

  it(
    'finds that every operation answers as its document says',
    async () => {
      const token = await issuer.token({ roles: ['admin'] });
      const fuzzed = { name: 'ai-gateway', baseUrl: service.url, tokenFor: () => token };
      expect(await findContractFaults(python, fuzzed)).toEqual([]);
    },
    SCHEMATHESIS_TIMEOUT_MS,
  );
});
