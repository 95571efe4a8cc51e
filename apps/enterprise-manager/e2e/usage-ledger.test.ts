import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';

describe('the checker of the ledger', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  it('finds nothing in an empty ledger', async () => {
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });
});
