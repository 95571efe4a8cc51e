import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { eventually } from '@gatehouse/testing/eventually';
import { createPolicy } from './support/world.ts';
import { startFolderBackend } from '@gatehouse/testing/folder-backend';
import { describeManagement } from './suites/management.ts';

describe('AI gateway management on files', () => {
  const getScene = describeManagement(startFolderBackend);

  describe('a file with an error', () => {
    it('keeps its last valid content, and readiness and log name file, line and field', async () => {
      const { backend, first, world } = getScene();
      await backend.apply('AIPolicy', createPolicy('edited-by-hand', { description: 'valid' }));
      const read = () =>
        first.call<{ spec: { description: string } }>('GET /v1/policies/{name}', {
          token: world.tokens.admin,
          path: { name: 'edited-by-hand' },
        });
      await eventually(async () => (await read()).status === 200, 'the policy is known');
      const path = backend.findFile('AIPolicy', 'edited-by-hand');
      const valid = readFileSync(path, 'utf8');
      writeFileSync(path, valid.replace('description: valid', 'description: [broken]'));
      const shown = await eventually(async () => {
        const { status, body } = await first.call('GET /readyz');
        const text = JSON.stringify(body);
        return text.includes('edited-by-hand') ? ([status, text] as const) : undefined;
      }, 'the readiness names the file');
      expect(shown).toEqual([200, expect.stringMatching(/edited-by-hand\.yaml.*\d.*description/)]);
      expect(world.lines.filter((line) => line.includes('a resource cannot be read')).join()).toContain(
        'edited-by-hand',
      );
      expect((await read()).body.spec.description).toBe('valid');
      const write = await first.call('PATCH /v1/policies/{name}', {
        token: world.tokens.admin,
        path: { name: 'edited-by-hand' },
        headers: { 'if-match': '*' },
        body: { spec: { description: 'other' } },
      });
      expect([write.status, readFileSync(path, 'utf8')]).toEqual([503, expect.stringContaining('[broken]')]);
      writeFileSync(path, valid.replace('description: valid', 'description: corrected'));
      await eventually(async () => (await read()).body.spec.description === 'corrected', 'the correction is in force');
      expect((await first.call('GET /readyz')).body).toEqual({ status: 'ready' });
    });
  });
});
