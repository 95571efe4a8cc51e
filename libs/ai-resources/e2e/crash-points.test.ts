import { afterEach, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { runProcess } from '@gatehouse/testing/process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Resource } from '../src/resource.ts';
import { createPolicy, TestFolder } from '../src/files/test-folder.fixture.ts';

const PROGRAM = fileURLToPath(new URL('crashing-writer.mjs', import.meta.url));
const MAX_STEPS = 60;
/** A short test run tries every second step, by its seed. */
const STEP = effort >= 4 ? 1 : 2;

/** The content of a folder after its next start. */
interface Found {
  readonly description: unknown;
  readonly observedGeneration: unknown;
  readonly version: bigint;
  readonly uid: string | undefined;
}

const OLD = { description: 'old', observedGeneration: undefined };
const NONE = { description: undefined, observedGeneration: undefined };

describe('a process that is killed before a step of a write', () => {
  let folder: TestFolder | undefined;
  afterEach(() => folder?.close());

  async function find(): Promise<Found> {
    const store = folder!.openStore();
    const resource = (await store.get('a')) as
      Resource<{ description?: string }, { observedGeneration?: number }> | undefined;
    const version = BigInt((await store.list()).resourceVersion);
    const watch = folder!.watch(store);
    await folder!.closeStores();
    expect(watch.state?.problems ?? []).toEqual([]);
    const files = readdirSync(folder!.path).filter((name) => name !== '.state');
    expect(files).toEqual(resource === undefined ? [] : ['aipolicy-a.yaml']);
    return {
      description: resource?.spec.description,
      observedGeneration: resource?.status?.observedGeneration,
      version,
      uid: resource?.metadata.uid,
    };
  }

  it.each([
    ['create', undefined, NONE, { ...NONE, description: 'new' }],
    ['patch', 'old', OLD, { ...OLD, description: 'new' }],
    ['status', 'old', OLD, { ...OLD, observedGeneration: 7 }],
    ['delete', 'old', OLD, NONE],
  ])(
    'leaves the state before or after the write, and the file agrees: %s',
    async (operation, description, before, after) => {
      const seen = { before: 0, after: 0 };
      for (let step = STEP === 1 ? 0 : seed % STEP; ; step += STEP) {
        expect(step).toBeLessThan(MAX_STEPS);
        folder = new TestFolder();
        const created =
          description === undefined ? undefined : await folder.openStore().create(createPolicy('a', { description }));
        const first = await find();
        const { stdout, stderr } = await runProcess({
          command: [process.execPath, PROGRAM],
          args: [folder.path, operation, String(step)],
        });
        expect(stderr).toBe('');
        const { version, uid, ...found } = await find();
        expect([before, after]).toContainEqual(found);
        expect(version).toBeGreaterThanOrEqual(first.version);
        if (created !== undefined && uid !== undefined) expect(uid).toBe(created.metadata.uid);
        seen[JSON.stringify(found) === JSON.stringify(before) ? 'before' : 'after'] += 1;
        await folder.close();
        if (stdout === 'done\n') {
          expect(found).toEqual(after);
          break;
        }
      }
      console.info(`${operation}: ${seen.before} kills left the state before it, ${seen.after} the state after it.`);
      expect(Math.min(seen.before, seen.after)).toBeGreaterThan(0);
    },
    120_000,
  );
});
