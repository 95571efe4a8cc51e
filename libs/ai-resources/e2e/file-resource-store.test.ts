import { afterAll, describe } from '@jest/globals';
import type { AIGateway, AIPolicy } from '../src/resource.ts';
import { FileResourceStore } from '../src/files/file-resource-store.ts';
import { ResourceFolder } from '../src/files/folder/resource-folder.ts';
import { NAMESPACE, TestFolder } from '../src/files/test-folder.fixture.ts';
import { describeResourceStore } from './store-suite/resource-store-suite.ts';

describe('a folder of files', () => {
  const folders: TestFolder[] = [];
  afterAll(() => Promise.all(folders.map((folder) => folder.close())));

  describeResourceStore('FileResourceStore', () => {
    const folder = new TestFolder();
    folders.push(folder);
    const open = () => new ResourceFolder({ path: folder.path, namespace: NAMESPACE });
    const [first, second] = [open(), open()];
    const gateways = new FileResourceStore<AIGateway>(first, 'AIGateway');
    /** Removes all older states, as time does. */
    const expireTokens = async () => {
      const spec = { auth: { oidc: { issuer: 'https://login.example.com', audience: 'a' } } } as AIGateway['spec'];
      await gateways.create({ metadata: { name: 'later' }, spec });
      const { database, revisions } = await first.getState();
      await database.write(() => revisions.compact(Date.now() + 1));
    };
    return Promise.resolve({
      namespace: NAMESPACE,
      policies: new FileResourceStore<AIPolicy>(first, 'AIPolicy'),
      gateways,
      replica: new FileResourceStore<AIPolicy>(second, 'AIPolicy'),
      expireTokens,
      close: async () => {
        await Promise.all([first.close(), second.close()]);
      },
    });
  });
});
