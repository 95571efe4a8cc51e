import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
});
afterAll(() => platform.stop());

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);

describe('gatehouse admin discovery', () => {
  it('reports an empty list without a cluster', async () => {
    const listed = await call('admin', 'discovery', 'list');
    expect([listed.code, listed.stdout, listed.stderr]).toEqual([
      0,
      '',
      expect.stringContaining('No MCP servers in the cluster'),
    ]);
    expect(await json('admin', 'discovery', 'list')).toEqual([]);
  });

  it('suggests the list command for an unknown server, and refuses an unknown gateway', async () => {
    for (const server of ['tools/search', randomUUID()]) {
      const admitted = await call('admin', 'discovery', 'admit', server);
      expect([admitted.code, admitted.stderr]).toEqual([1, expect.stringContaining('gatehouse admin discovery list')]);
    }
    const elsewhere = await call('admin', 'discovery', 'list', '--gateway', 'none');
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('no such gateway')]);
  });
});

describe('gatehouse admin connections', () => {
  it('suggests the list command for an unknown connector or connection', async () => {
    const listed = await call('admin', 'connections', 'list', 'none');
    expect([listed.code, listed.stderr]).toEqual([1, expect.stringContaining('There is no connector "none"')]);
    const shown = await call('admin', 'connections', 'get', randomUUID());
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('there is no such connection')]);
    expect((await call('admin', 'connections', 'get', 'nonsense')).code).toBe(2);
  });
});
