import { describe, expect, it } from '@jest/globals';
import { ServerEntry } from '../document/server-entry.ts';
import { createRegistryServer } from './create-registry-server.ts';
import type { LocalServer } from './registry-server.ts';
import { MissingArgumentsError, resolveArguments } from './resolve-arguments.ts';

const createServer = (packageArguments: object[]) =>
  createRegistryServer(
    ServerEntry.parse({
      ...{ name: 'com.example/files', description: '', version: '1.0.0' },
      packages: [
        { registryType: 'npm', identifier: 'x', version: '1.0.0', transport: { type: 'stdio' }, packageArguments },
      ],
    }),
  ) as LocalServer;

describe('resolveArguments', () => {
  const values = [{ type: 'named', name: '--root', value: '/data' }];
  const missing = [{ type: 'positional', valueHint: 'folder', description: 'a folder', isRequired: true }];

  it('takes the arguments of the entry', () =>
    expect(resolveArguments(createServer(values), [])).toEqual(['--root', '/data']));

  it('replaces them by those of the user', () => {
    expect(resolveArguments(createServer(values), ['/other'])).toEqual(['/other']);
    expect(resolveArguments(createServer(missing), ['/other'])).toEqual(['/other']);
  });

  it('says which arguments only the user knows', () => {
    const resolve = () => resolveArguments(createServer(missing), []);
    expect(resolve).toThrow(MissingArgumentsError);
    expect(resolve).toThrow('com.example/files needs arguments: folder (a folder)');
  });
});
