import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { findContractFaults, SCHEMATHESIS_TIMEOUT_MS, schemathesisPython } from '@gatehouse/testing/schemathesis';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeScimToken } from './scim-scene.ts';

describeWhen(await schemathesisPython(), 'schemathesis on enterprise-manager', (python) => {
  let manager: TestManager;
  let scimSecret: string;

  beforeAll(async () => {
    manager = await startManager({ discoverable: true });
    scimSecret = (await makeScimToken(manager)).secret;
  }, 60_000);
  afterAll(() => manager.close());

  it(
    'finds that every operation responds as its document describes',
    async () => {
      const faults = await findContractFaults(python, {
        name: 'enterprise-manager',
        baseUrl: manager.baseUrl,
        tokenFor: (path, roles) => {
          if (path.startsWith('/scim/')) return scimSecret;
          return roles.length > 0 && roles.every((role) => role === 'gateway')
            ? manager.tokens.gateway
            : manager.tokens.admin;
        },
      });
      expect(faults).toEqual([]);
    },
    SCHEMATHESIS_TIMEOUT_MS,
  );
});
