import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitForValue } from '@gatehouse/testing/eventually';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../resource.ts';
import type { MergePatch } from '../resource-store.ts';
import type { FileResourceStore } from './file-resource-store.ts';
import { createPolicy, createSpec, TestFolder, writePolicy } from './test-folder.fixture.ts';

let folder: TestFolder;
let store: FileResourceStore;
beforeEach(() => {
  folder = new TestFolder();
  store = folder.openStore();
});
afterEach(() => folder.close());

const listNames = async (options = {}): Promise<string[]> =>
  (await store.list(options)).items.map(({ metadata }) => metadata.name);
const describePolicy = (description: string) => store.patch('a', { spec: { description } }, current.metadata);
let current: Resource;

describe('FileResourceStore', () => {
  it('creates the folder, its state and one file for each resource', async () => {
    folder.remove('');
    await store.create(createPolicy('a'));
    expect(readdirSync(folder.path).sort()).toEqual(['.state', 'aipolicy-a.yaml']);
    expect(folder.read('aipolicy-a.yaml')).toBe(
      'apiVersion: gatehouse.dev/v1alpha1\nkind: AIPolicy\nmetadata:\n  name: a\nspec:\n  gatewayRef:\n    name: local\n  principalMatchers:\n    - claims:\n        groups: developers\n',
    );
  });

  it('returns what it stored, also after a restart and to another process', async () => {
    const created = await store.create({
      ...createPolicy('a'),
      metadata: { name: 'a', labels: { team: 'x' }, annotations: {} },
    });
    expect(created).toEqual({
      apiVersion: 'gatehouse.dev/v1alpha1',
      kind: 'AIPolicy',
      metadata: {
        name: 'a',
        namespace: 'gatehouse',
        labels: { team: 'x' },
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        generation: 1,
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
      spec: createSpec('developers'),
    });
    const patched = await store.patch(
      'a',
      { status: { observedGeneration: 1 } },
      { ...created.metadata, subresource: 'status' },
    );
    expect(await folder.openStore().get('a')).toEqual(patched);
    await folder.closeStores();
    expect(await folder.openStore().get('a')).toEqual(patched);
  });

  it('fills in the defaults of the CRD, and leaves them out of the file', async () => {
    const gateways = folder.openStore('AIGateway');
    const spec = { auth: { oidc: { issuer: 'https://login.example.com', audience: 'a' } } };
    const created = await gateways.create({ metadata: { name: 'local' }, spec });
    expect(created.spec).toEqual({ ...spec, virtualKeys: { enabled: true } });
    const patched = await gateways.patch('local', { metadata: { labels: { a: 'b' } } }, created.metadata);
    expect([patched.metadata.generation, patched.spec]).toEqual([1, created.spec]);
    expect(folder.read('aigateway-local.yaml')).not.toContain('virtualKeys');
  });

  it('counts the generation for changes of the spec alone, and versions for all changes', async () => {
    current = await store.create(createPolicy('a'));
    const versions = [current.metadata.resourceVersion];
    const patch = async (change: MergePatch, subresource?: 'status'): Promise<number> => {
      current = await store.patch('a', change, { ...current.metadata, ...(subresource && { subresource }) });
      versions.push(current.metadata.resourceVersion);
      return current.metadata.generation;
    };
    expect(await patch({ metadata: { labels: { a: 'b' } } })).toBe(1);
    expect(await patch({ status: { observedGeneration: 1 } }, 'status')).toBe(1);
    expect(await patch({ spec: { description: 'x' } })).toBe(2);
    expect(await patch({ spec: { description: null } })).toBe(3);
    expect(current.status).toEqual({ observedGeneration: 1 });
    expect(versions.map(BigInt)).toEqual([...versions].map(BigInt).sort((one, other) => (one < other ? -1 : 1)));
    expect(new Set(versions).size).toBe(5);
  });

  it('does not write when a patch changes nothing', async () => {
    current = await store.create(createPolicy('a', { description: 'x' }));
    const file = folder.read('aipolicy-a.yaml');
    expect(await describePolicy('x')).toEqual(current);
    expect(await store.patch('a', { metadata: { labels: null } }, current.metadata)).toEqual(current);
    expect(folder.read('aipolicy-a.yaml')).toBe(file);
    expect((await store.list()).resourceVersion).toBe(current.metadata.resourceVersion);
  });

  it('refuses what breaks a rule, and leaves file and state as they were', async () => {
    current = await store.create(createPolicy('a'));
    const files = readdirSync(folder.path).map((name) => [name, name.endsWith('yaml') && folder.read(name)]);
    const invalid = (field: string) => ({ code: 'invalid', violations: [expect.objectContaining({ field })] });
    await expect(store.create(createPolicy('B'))).rejects.toMatchObject(invalid('/metadata/name'));
    await expect(store.create(createPolicy('b', { foo: 1 }))).rejects.toMatchObject(invalid('/spec/foo'));
    await expect(store.patch('a', { spec: null }, current.metadata)).rejects.toMatchObject(invalid('/spec'));
    const moved = { spec: { gatewayRef: { name: 'other' } } };
    await expect(store.patch('a', moved, current.metadata)).rejects.toMatchObject(invalid('/spec/gatewayRef'));
    await expect(store.patch('a', { metadata: { name: 'b' } }, current.metadata)).rejects.toMatchObject(
      invalid('/metadata/name'),
    );
    await expect(store.patch('a', { kind: 'x' }, current.metadata)).rejects.toMatchObject(invalid('/kind'));
    await expect(store.patch('a', { 'x/y': 1 }, current.metadata)).rejects.toMatchObject(invalid('/x~1y'));
    const proto = JSON.parse('{"spec":{"__proto__":{"description":"x"}}}') as MergePatch;
    await expect(store.patch('a', proto, current.metadata)).rejects.toMatchObject(invalid('/spec/__proto__'));
    expect(readdirSync(folder.path).map((name) => [name, name.endsWith('yaml') && folder.read(name)])).toEqual(files);
    expect((await store.list()).resourceVersion).toBe(current.metadata.resourceVersion);
  });

  it('refuses names in use, unknown names and stale versions', async () => {
    current = await store.create(createPolicy('a'));
    await expect(store.create(createPolicy('a'))).rejects.toMatchObject({ code: 'already_exists' });
    await expect(store.patch('b', {}, { resourceVersion: '1' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.delete('b', { resourceVersion: '1' })).rejects.toMatchObject({ code: 'not_found' });
    await describePolicy('x');
    await expect(describePolicy('y')).rejects.toMatchObject({ code: 'conflict' });
    await expect(store.delete('a', current.metadata)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('deletes the file, and gives a new resource of the name another uid', async () => {
    current = await store.create(createPolicy('a'));
    await store.delete('a', current.metadata);
    expect([await store.get('a'), readdirSync(folder.path)]).toEqual([undefined, ['.state']]);
    const again = await store.create(createPolicy('a'));
    expect(again.metadata.uid).not.toBe(current.metadata.uid);
    expect(BigInt(again.metadata.resourceVersion)).toBeGreaterThan(BigInt(current.metadata.resourceVersion));
  });

  it('shortens the file names of long names', async () => {
    const names = ['a'.repeat(241), 'a'.repeat(253), `${'a'.repeat(252)}b`];
    for (const name of names) await store.create(createPolicy(name));
    expect(readdirSync(folder.path).map(({ length }) => length)).toEqual([6, 227, 227, 255]);
    await folder.closeStores();
    store = folder.openStore();
    expect(await listNames()).toEqual(names.sort());
  });

  it('uses another file name when a file of another resource has the name', async () => {
    folder.write('aipolicy-a.yaml', writePolicy('z', 'x'));
    await store.create(createPolicy('a'));
    expect(readdirSync(folder.path)).toContainEqual(expect.stringMatching(/^aipolicy-a-[0-9a-f]{12}\.yaml$/));
    await waitForValue(listNames, (names) => names.join() === 'a,z');
  });

  it('removes files that a killed process was writing', async () => {
    writeFileSync(join(folder.path, '.gatehouse-0123456789ab.tmp'), 'half');
    await store.list();
    expect(readdirSync(folder.path)).toEqual(['.state']);
  });

  it('says why the folder cannot be used', async () => {
    writeFileSync(join(folder.path, 'file'), '');
    const nested = new TestFolder(join(folder.path, 'file', 'resources'));
    await expect(nested.openStore().get('a')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(join(folder.path, 'file', 'resources')),
    });
    await nested.closeStores();
  });
});

describe('list', () => {
  beforeEach(async () => {
    for (const [at, name] of ['d', 'a.b', 'a', 'c', 'a-b'].entries())
      await store.create({
        ...createPolicy(name),
        metadata: { name, labels: { parity: at % 2 === 0 ? 'even' : 'odd' } },
      });
  });

  it('pages through one version of the collection, sorted by name', async () => {
    const first = await store.list({ limit: 2 });
    const c = await store.get('c');
    await store.delete('c', c!.metadata);
    await store.create(createPolicy('b'));
    const second = await store.list({ limit: 2, continue: first.continue! });
    const third = await store.list({ limit: 2, continue: second.continue! });
    const pages = [first, second, third];
    expect(pages.map(({ items }) => items.map(({ metadata }) => metadata.name))).toEqual([
      ['a', 'a-b'],
      ['a.b', 'c'],
      ['d'],
    ]);
    expect(pages.map(({ remainingItemCount }) => remainingItemCount)).toEqual([3, 1, undefined]);
    expect(new Set(pages.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
    expect(third).not.toHaveProperty('continue');
    expect(await listNames()).toEqual(['a', 'a-b', 'a.b', 'b', 'd']);
  });

  it('selects by labels, without a count', async () => {
    const page = await store.list({ labelSelector: 'parity=even', limit: 2 });
    expect(page).not.toHaveProperty('remainingItemCount');
    expect(page.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'a-b']);
    expect(await listNames({ labelSelector: 'parity=even', continue: page.continue })).toEqual(['d']);
    await expect(store.list({ labelSelector: 'a in b' })).rejects.toMatchObject({ code: 'invalid_selector' });
  });

  it('refuses tokens that are too old or no tokens', async () => {
    let now = Date.now();
    store = folder.openStore('AIPolicy', () => now);
    const { continue: token } = await store.list({ limit: 1 });
    await store.create(createPolicy('z'));
    now += 6 * 60_000;
    expect(await listNames({ continue: token })).toHaveLength(4);
    for (let at = 0; at < 100; at += 1) {
      current = (await store.get('a'))!;
      await store.patch('a', { status: { observedGeneration: at } }, { ...current.metadata, subresource: 'status' });
    }
    await expect(store.list({ continue: token! })).rejects.toMatchObject({ code: 'expired' });
    await expect(store.list({ continue: 'x' })).rejects.toMatchObject({ code: 'expired' });
    expect(await listNames()).toHaveLength(6);
  }, 60_000);
});

describe('watch', () => {
  it('reports all resources, each change and each deletion, of all processes', async () => {
    current = await store.create(createPolicy('a'));
    const watches = [folder.watch(store), folder.watch(folder.openStore())];
    for (const watch of watches)
      await waitForValue(
        () => watch.events,
        ({ length }) => length === 1,
      );
    current = await describePolicy('x');
    current = await store.patch(
      'a',
      { status: { observedGeneration: 2 } },
      { ...current.metadata, subresource: 'status' },
    );
    await store.create(createPolicy('b'));
    await store.delete('a', current.metadata);
    for (const watch of watches) {
      const events = await waitForValue(
        () => watch.events,
        ({ length }) => length === 5,
      );
      expect(events).toEqual(['replaced a 1', 'changed a 2', 'changed a 2', 'changed b 1', 'deleted a 2']);
      expect(watch.state).toEqual({ status: 'following', problems: [] });
    }
  });

  it('does not report resources of another kind', async () => {
    const watch = folder.watch(folder.openStore('AIGateway'));
    await waitForValue(
      () => watch.events,
      ({ length }) => length === 1,
    );
    await store.create(createPolicy('a'));
    const gateways = folder.openStore('AIGateway');
    await gateways.create({
      metadata: { name: 'g' },
      spec: { auth: { oidc: { issuer: 'https://a.example', audience: 'a' } } },
    });
    expect(
      await waitForValue(
        () => watch.events,
        ({ length }) => length === 2,
      ),
    ).toEqual(['replaced', 'changed g 1']);
  });
});
