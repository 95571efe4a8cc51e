import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { pythonWith } from '@gatehouse/testing/python-environment';
import { makeScimToken } from './scim-scene.ts';

interface Report {
  counts: Record<string, number>;
  tags: string[];
  others: { status: string; title: string; resource: string | null; reason: string }[];
}

describeWhen(
  await pythonWith('scim2-tester', join(import.meta.dirname, 'scim2-tester', 'requirements.txt')),
  'scim2-tester',
  (python) => {
    let manager: TestManager;
    let report: Report;

    beforeAll(async () => {
      manager = await startManager();
      const { secret } = await makeScimToken(manager);
      const { stdout } = await promisify(execFile)(python, [join(import.meta.dirname, 'scim2-tester', 'check.py')], {
        env: { SCIM_URL: `${manager.baseUrl}/scim/local/v2`, SCIM_TOKEN: secret, PYTHONDONTWRITEBYTECODE: '1' },
        maxBuffer: 64 * 1024 * 1024,
      });
      report = JSON.parse(stdout) as Report;
    }, 240_000);
    afterAll(() => manager.close());

    it('reports no error', () => {
      // A search over all types at once is optional (RFC 7644 §3.4.2.1) and refused; the tester
      // passes over it.
      const allTypes = { status: 'SKIPPED', title: 'search_with_attributes' };
      expect(report.others).toEqual(
        ['User', 'Group'].map((resource) => expect.objectContaining({ ...allTypes, resource })),
      );
      expect(Object.keys(report.counts).toSorted()).toEqual(['SKIPPED', 'SUCCESS']);
    });

    it('checks discovery, every operation and every attribute', () => {
      expect(report.tags).toEqual(
        expect.arrayContaining([
          'crud:create',
          'crud:delete',
          'crud:read',
          'crud:update',
          'discovery',
          'patch:add',
          'patch:remove',
          'patch:replace',
        ]),
      );
      expect(report.counts['SUCCESS']).toBeGreaterThan(100);
    });
  },
);
