import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeEveryOperation, type RunningService } from '@gatehouse/testing/contract-runner';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { createSamples } from './samples.ts';
import { readDatabaseState } from './state.ts';

describe('every operation of the enterprise manager', () => {
  let manager: TestManager;
  let service: RunningService;

  beforeAll(async () => {
    manager = await startManager({ discoverable: true });
    service = {
      client: manager.client,
      tokens: {
        admin: manager.tokens.admin,
        auditor: manager.tokens.auditor,
        user: manager.tokens.alice,
        gateway: manager.tokens.gateway,
      },
      foreignToken: await manager.issuer.token({ subject: 'admin', roles: ['admin'], audience: 'elsewhere' }),
      state: () => readDatabaseState(manager),
    };
  }, 60_000);
  afterAll(() => manager.close());

  describeEveryOperation(
    'enterprise-manager',
    () => service,
    createSamples(() => manager),
  );
});
