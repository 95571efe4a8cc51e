import { afterEach, describe, expect, it } from '@jest/globals';
import { STANDARD_CLAIMS } from './claims.ts';
import { ChecksBusyError, DocumentChecks } from './document-checks.ts';

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const PERMIT = 'permit(principal, action, resource);';

describe('DocumentChecks', () => {
  let checks = new DocumentChecks();
  afterEach(() => checks.close());

  it('returns the result of examineDocument for concurrent requests, without blocking the event loop', async () => {
    checks = new DocumentChecks();
    const large = Array.from({ length: 250 }, (_, n) => `@id("p${n}") ${PERMIT}`).join('\n');
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    const examinations = await Promise.all([
      ...Array.from({ length: 10 }, () => checks.examine(large, CONNECTOR, STANDARD_CLAIMS)),
      checks.examine('permit(', CONNECTOR, STANDARD_CLAIMS),
      checks.examine('permit(principal in Group::"g", action, resource);', CONNECTOR, STANDARD_CLAIMS),
    ]);
    clearInterval(turning);
    expect(examinations.slice(0, 10).map(({ faults }) => faults)).toEqual(Array.from({ length: 10 }, () => []));
    expect(examinations[10]?.faults).toMatchObject([{ line: 1, column: 8 }]);
    expect(examinations[11]?.groups).toEqual([{ id: 'g', line: 1, column: 28 }]);
    expect(turns).toBeGreaterThan(10);
  }, 60_000);

  it('terminates a check at its time limit, and checks the next document in a new thread', async () => {
    checks = new DocumentChecks(0);
    await expect(checks.examine(PERMIT, CONNECTOR, STANDARD_CLAIMS)).rejects.toThrow(ChecksBusyError);
    await checks.close();
    checks = new DocumentChecks();
    expect((await checks.examine(PERMIT, CONNECTOR, STANDARD_CLAIMS)).faults).toEqual([]);
  });

  it('refuses documents when too many wait', async () => {
    checks = new DocumentChecks();
    const examinations = await Promise.allSettled(
      Array.from({ length: 60 }, () => checks.examine(PERMIT, CONNECTOR, STANDARD_CLAIMS)),
    );
    const refused = examinations.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(60);
  });
});
