import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitForValue } from '@gatehouse/testing/eventually';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../resource.ts';
import type { FileResourceStore } from './file-resource-store.ts';
import { createPolicy, type RecordedWatch, TestFolder, writePolicy } from './test-folder.fixture.ts';

let folder: TestFolder;
let store: FileResourceStore;
let watch: RecordedWatch;
beforeEach(async () => {
  folder = new TestFolder();
  store = folder.openStore();
  watch = folder.watch(store);
  await waitForValue(
    () => watch.events,
    ({ length }) => length === 1,
  );
});
afterEach(() => folder.close());

/** Waits until the watch has reported so many events. */
const events = (count: number): Promise<string[]> =>
  waitForValue(
    () => watch.events.slice(1),
    ({ length }) => length >= count,
  );
const problems = (...parts: string[]): Promise<readonly string[]> =>
  waitForValue(
    () => watch.state?.problems ?? [],
    (found) => found.length === parts.length && parts.every((part, at) => found[at]!.includes(part)),
  );
const describePolicy = ({ metadata }: Resource, description: string) =>
  store.patch(metadata.name, { spec: { description } }, metadata);
const get = async (name: string): Promise<Resource> => (await store.get(name))!;

describe('files that people write', () => {
  it('become resources under any file name', async () => {
    folder.write('any name.YML', writePolicy('a', 'x'));
    folder.write('notes.txt', 'no resource');
    expect(await events(1)).toEqual(['changed a 1']);
    expect((await get('a')).spec).toMatchObject({ description: 'x' });
  });

  it('keep their comments when the API writes', async () => {
    folder.write('mine.yaml', writePolicy('a', 'x # short'));
    await events(1);
    await describePolicy(await get('a'), 'y');
    expect(folder.read('mine.yaml')).toBe(writePolicy('a', 'y # short'));
    expect(await events(2)).toEqual(['changed a 1', 'changed a 2']);
  });

  it.each([
    ['in place', (text: string) => folder.write('aipolicy-a.yaml', text)],
    ['by a rename', (text: string) => folder.saveByRename('aipolicy-a.yaml', text)],
    [
      'with a backup',
      (text: string) => {
        folder.rename('aipolicy-a.yaml', 'aipolicy-a.yaml~');
        folder.write('aipolicy-a.yaml', text);
      },
    ],
  ])('change a resource when an editor saves %s', async (_, save) => {
    const { metadata } = await store.create(createPolicy('a'));
    save(writePolicy('a', 'x'));
    expect(await events(2)).toEqual(['changed a 1', 'changed a 2']);
    expect((await get('a')).metadata.uid).toBe(metadata.uid);
  });

  it('do not change a resource when only comments change', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    await events(1);
    folder.write('a.yaml', `# more\n${writePolicy('a', 'x')}`);
    folder.write('b.yaml', writePolicy('b', 'x'));
    expect(await events(2)).toEqual(['changed a 1', 'changed b 1']);
  });

  it('keep the resource when they are renamed', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    await events(1);
    folder.rename('a.yaml', 'b.yaml');
    await describePolicy(await get('a'), 'y');
    expect(readdirSync(folder.path)).toEqual(['.state', 'b.yaml']);
    expect(await events(2)).toEqual(['changed a 1', 'changed a 2']);
  });

  it('keep both resources when they change names', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    folder.write('b.yaml', writePolicy('b', 'x'));
    await events(2);
    for (const [from, to] of [
      ['a.yaml', 't'],
      ['b.yaml', 'a.yaml'],
      ['t', 'b.yaml'],
    ] as const)
      folder.rename(from, to);
    await describePolicy(await get('a'), 'y');
    expect(folder.read('b.yaml')).toBe(writePolicy('a', 'y'));
    expect((await events(3)).at(2)).toBe('changed a 2');
  });

  it('delete the resource when they are deleted, and another one when they name another', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    folder.write('b.yaml', writePolicy('b', 'x'));
    await events(2);
    folder.remove('a.yaml');
    expect((await events(3)).at(2)).toBe('deleted a 1');
    folder.write('b.yaml', writePolicy('c', 'x'));
    expect((await events(5)).slice(3)).toEqual(['changed c 1', 'deleted b 1']);
    await expect(store.patch('a', {}, { resourceVersion: '1' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are not taken while they are written in parts', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    await events(1);
    const text = writePolicy('a', 'y');
    for (const length of [0, 20, text.indexOf('    - claims'), text.length - 5, text.length]) {
      folder.write('a.yaml', text.slice(0, length));
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(await events(2)).toEqual(['changed a 1', 'changed a 2']);
    await problems();
  });

  it('are taken in their last state after a restart', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    folder.write('b.yaml', writePolicy('b', 'x'));
    await events(2);
    const before = await get('a');
    await folder.closeStores();
    folder.write('a.yaml', writePolicy('a', 'y'));
    folder.remove('b.yaml');
    store = folder.openStore();
    const after = await waitForValue(
      () => get('a'),
      ({ metadata }) => metadata.generation === 2,
    );
    expect(after.metadata).toEqual({ ...before.metadata, generation: 2, resourceVersion: expect.any(String) });
    await waitForValue(
      () => store.get('b'),
      (resource) => resource === undefined,
    );
  });
});

describe('writes of the API beside changes by hand', () => {
  it('conflict with a change that was saved after the read', async () => {
    const read = await store.create(createPolicy('a'));
    folder.write('aipolicy-a.yaml', writePolicy('a', 'x'));
    await expect(describePolicy(read, 'y')).rejects.toMatchObject({ code: 'conflict' });
    expect(folder.read('aipolicy-a.yaml')).toBe(writePolicy('a', 'x'));
    folder.write('aipolicy-a.yaml', writePolicy('a', 'z'));
    await expect(store.delete('a', (await get('a')).metadata)).rejects.toMatchObject({ code: 'conflict' });
    expect((await get('a')).spec).toMatchObject({ description: 'z' });
  });

  it('find a resource whose file was deleted no more', async () => {
    const read = await store.create(createPolicy('a'));
    folder.remove('aipolicy-a.yaml');
    await expect(describePolicy(read, 'y')).rejects.toMatchObject({ code: 'not_found' });
    expect(readdirSync(folder.path)).toEqual(['.state']);
  });

  it('are refused while the file has an error, except for the status', async () => {
    const read = await store.create(createPolicy('a'));
    folder.write('aipolicy-a.yaml', 'spec: [');
    const refusal = { code: 'unavailable', message: expect.stringContaining('aipolicy-a.yaml, line 1, column 8') };
    await expect(describePolicy(read, 'y')).rejects.toMatchObject(refusal);
    await expect(store.delete('a', read.metadata)).rejects.toMatchObject(refusal);
    await expect(store.create(createPolicy('a'))).rejects.toMatchObject({ code: 'already_exists' });
    expect(folder.read('aipolicy-a.yaml')).toBe('spec: [');
    const options = { ...read.metadata, subresource: 'status' } as const;
    await store.patch('a', { status: { observedGeneration: 1 } }, options);
    expect((await get('a')).spec).toEqual(read.spec);
  });

  it('do not create a resource beside a file with an error that has its file name', async () => {
    folder.write('aipolicy-a.yaml', 'spec: [');
    await problems('aipolicy-a.yaml, line 1');
    await expect(store.create(createPolicy('a'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('problems', () => {
  it('name file, line, column and field, and end when the file is corrected', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    await events(1);
    folder.write('a.yaml', writePolicy('a', '1'));
    await problems('a.yaml, line 8, column 3: the file breaks a rule: /spec/description must be a string');
    expect((await get('a')).spec).toMatchObject({ description: 'x' });
    folder.write('a.yaml', writePolicy('a', 'y'));
    await problems();
    expect(await events(2)).toEqual(['changed a 1', 'changed a 2']);
  });

  it('hold a change of an immutable field, also across a restart', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    await events(1);
    folder.write('a.yaml', writePolicy('a', 'x').replace('name: local', 'name: other'));
    await problems('a.yaml, line 7, column 3: the file breaks a rule: /spec/gatewayRef cannot be changed');
    await folder.closeStores();
    watch = folder.watch((store = folder.openStore()));
    await problems('/spec/gatewayRef cannot be changed');
    expect((await get('a')).spec).toMatchObject({ gatewayRef: { name: 'local' } });
  });

  it('hold two files for one resource until one is gone', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    await events(1);
    folder.write('b.yaml', writePolicy('a', 'y'));
    await problems('a.yaml and b.yaml: these files describe the same resource, AIPolicy a (/metadata/name)');
    await expect(describePolicy(await get('a'), 'z')).rejects.toMatchObject({ code: 'unavailable' });
    await folder.closeStores();
    watch = folder.watch((store = folder.openStore()));
    await problems('a.yaml and b.yaml');
    expect((await get('a')).spec).toMatchObject({ description: 'x' });
    folder.remove('a.yaml');
    await problems();
    expect((await get('a')).spec).toMatchObject({ description: 'y' });
    await describePolicy(await get('a'), 'z');
    expect(folder.read('b.yaml')).toBe(writePolicy('a', 'z'));
  });

  it('keep the resource when its file breaks and names another one', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    await events(1);
    folder.write('a.yaml', writePolicy('b', '1'));
    await problems('a.yaml, line 8');
    folder.write('c.yaml', writePolicy('c', 'x'));
    expect(await events(2)).toEqual(['changed a 1', 'changed c 1']);
    expect(await get('a')).toBeDefined();
  });

  it('belong to the stores of their kind, or to all when the kind is unknown', async () => {
    const other = folder.watch(folder.openStore('AIGateway'));
    folder.write('a.yaml', writePolicy('a', '1'));
    folder.write('b.yaml', '[');
    await problems('a.yaml', 'b.yaml');
    await waitForValue(
      () => other.state?.problems ?? [],
      (found) => found.length === 1 && found[0]!.startsWith('b.yaml'),
    );
  });

  it.each([
    ['is larger than 1 MiB', () => folder.write('a.yaml', `${writePolicy('a', 'x')}#${'x'.repeat(1024 * 1024)}`)],
    ['is not UTF-8 text', () => folder.write('a.yaml', new Uint8Array([0xff, 0xfe]))],
    ['is not a regular file', () => mkdirSync(join(folder.path, 'a.yaml'))],
    ['is a symbolic link to a file that does not exist', () => symlinkSync('nowhere', join(folder.path, 'a.yaml'))],
    ['cannot be read', () => symlinkSync('a.yaml', join(folder.path, 'a.yaml'))],
  ])('say that a file %s', async (reason, make) => {
    make();
    await problems(`a.yaml: the file ${reason}`);
  });
});

describe('symbolic links', () => {
  it('are followed, and stay when the API writes', async () => {
    const target = new TestFolder();
    target.write('real.yaml', writePolicy('a', 'x'));
    symlinkSync(join(target.path, 'real.yaml'), join(folder.path, 'a.yaml'));
    await events(1);
    await describePolicy(await get('a'), 'y');
    expect(target.read('real.yaml')).toBe(writePolicy('a', 'y'));
    target.write('real.yaml', writePolicy('a', 'z'));
    expect(await events(3)).toEqual(['changed a 1', 'changed a 2', 'changed a 3']);
    await target.close();
  });
});

describe('the folder', () => {
  it('can vanish: its resources stay in force, and are followed again when it is back', async () => {
    const created = await store.create(createPolicy('a'));
    renameSync(folder.path, `${folder.path}-moved`);
    await waitForValue(
      () => watch.state,
      (state) => state?.status === 'unreachable' && state.problems[0]!.includes(folder.path),
    );
    await expect(store.get('a')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.create(createPolicy('b'))).rejects.toMatchObject({ code: 'unavailable' });
    renameSync(`${folder.path}-moved`, folder.path);
    await waitForValue(
      () => watch.state,
      (state) => state?.status === 'following',
    );
    expect(watch.events.filter((event) => event.startsWith('deleted'))).toEqual([]);
    expect(await get('a')).toEqual(created);
  });

  it('gives resources new identities and later versions when its state was removed', async () => {
    const created = await store.create(createPolicy('a'));
    folder.remove('.state');
    const again = await waitForValue(
      () => store.get('a'),
      (resource) => resource !== undefined,
    );
    expect(again?.metadata.uid).not.toBe(created.metadata.uid);
    expect(BigInt(again!.metadata.resourceVersion)).toBeGreaterThan(BigInt(created.metadata.resourceVersion));
    await expect(describePolicy(created, 'x')).rejects.toMatchObject({ code: 'conflict' });
    await waitForValue(
      () => watch.events.at(-1),
      (event) => event === 'replaced a 1',
    );
  });

  it('is not used with the state of a newer release', async () => {
    await folder.closeStores();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(folder.path, '.state', 'resources.db'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expect(folder.openStore().get('a')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('a newer release of Gatehouse wrote it'),
    });
    writeFileSync(join(folder.path, '.state', 'resources.db'), 'x'.repeat(10_000));
    await expect(folder.openStore().get('a')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
