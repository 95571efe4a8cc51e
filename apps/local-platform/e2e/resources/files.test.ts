import { openResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreatedPolicies } from '../../src/resources/created-policies.ts';
import { prepareResources } from '../../src/resources/resources.ts';
import { describePreparation } from './resource-suite.ts';

const folders: string[] = [];
const createFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-resources-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the resources of a platform on files', () => {
  describePreparation(() => ({ NAMESPACE: 'gatehouse', RESOURCES_FOLDER: createFolder() }));

  const prepare = async (folder: string, issuer: string) => {
    const stores = openResourceStores({ NAMESPACE: 'gatehouse', RESOURCES_FOLDER: folder });
    const created = new CreatedPolicies(join(folder, '.created-policies.json'));
    try {
      await prepareResources(stores, { issuer, demoProviderUrl: undefined, created, report: () => undefined });
    } finally {
      await stores.close();
    }
  };

  it('keep their comments when the ports change', async () => {
    const folder = createFolder();
    const file = join(folder, 'aigateway-local.yaml');
    await prepare(folder, 'http://127.0.0.1:8190');
    writeFileSync(file, `# Our gateway\n${readFileSync(file, 'utf8')}`);
    await prepare(folder, 'http://127.0.0.1:9190');
    expect(readFileSync(file, 'utf8')).toMatch(/^# Our gateway\n[\s\S]*issuer: http:\/\/127\.0\.0\.1:9190\n/);
  });

  it('stay as they are in a file with an error, which is named', async () => {
    const folder = createFolder();
    const file = join(folder, 'aigateway-local.yaml');
    await prepare(folder, 'http://127.0.0.1:8190');
    writeFileSync(file, 'spec: [');
    await prepare(folder, 'http://127.0.0.1:8190');
    await expect(prepare(folder, 'http://127.0.0.1:9190')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('aigateway-local.yaml'),
    });
    expect(readFileSync(file, 'utf8')).toBe('spec: [');
  });
});
