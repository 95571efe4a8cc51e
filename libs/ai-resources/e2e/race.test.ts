import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import { eventually, waitForValue } from '@gatehouse/testing/eventually';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPolicy, TestFolder } from '../src/files/test-folder.fixture.ts';
import { startWriter, type Writer } from './writers.ts';

const WRITERS = 3;
const WRITES = 40 * effort;

describe('several processes and a person who write the same resources', () => {
  let folder: TestFolder;
  const writers: Writer[] = [];
  beforeEach(async () => {
    folder = new TestFolder();
    const created = await folder.openStore().create(createPolicy('shared', { description: 'edit 0' }));
    expect(created.metadata.generation).toBe(1);
  });
  afterEach(async () => {
    await Promise.all(writers.splice(0).map((writer) => writer.process.killHard()));
    await folder.close();
  });

  it(
    'lose no acknowledged write and no saved file, and get conflicts as conflicts',
    async () => {
      const store = folder.openStore();
      const watch = folder.watch(store);
      const counts = new Map<string, string | undefined>();
      const descriptions = new Set<string>();
      const stopping = new AbortController();
      const recording = store.watch(
        {
          onReplaced: () => undefined,
          onDeleted: () => undefined,
          onChanged: ({ metadata, spec }) => {
            if (metadata.name !== 'shared') return;
            counts.set(metadata.resourceVersion, metadata.labels?.['count']);
            descriptions.add((spec as { description: string }).description);
          },
          onState: () => undefined,
        },
        stopping.signal,
      );
      await waitForValue(
        () => watch.events,
        ({ length }) => length > 0,
      );
      for (let at = 0; at < WRITERS; at += 1) writers.push(await startWriter(folder.path, `w${at}`, WRITES));
      const running = { count: WRITERS };
      for (const { process } of writers) void process.exited.then(() => (running.count -= 1));
      const saved: string[] = [];
      const overwritten: string[] = [];
      while (running.count > 0) {
        const description = `edit ${saved.length + 1}`;
        const text = folder.read('aipolicy-shared.yaml');
        folder.saveByRename('aipolicy-shared.yaml', text.replace(/edit \d+/, description));
        const end = await eventually(() => {
          if (descriptions.has(description)) return 'taken';
          return folder.read('aipolicy-shared.yaml').includes(description) ? undefined : 'overwritten';
        }, `the store takes ${description}`);
        if (end === 'taken') saved.push(description);
        else overwritten.push(description);
        await sleep(100);
      }
      for (const { process } of writers)
        expect([await process.exited, process.stderr()]).toEqual([{ code: 0, signal: null }, '']);
      const lines = writers.flatMap((writer) => writer.lines());
      const done = lines.filter(({ type, phase }) => type === 'increment' && phase === 'done');
      await waitForValue(
        () => done.filter(({ version }) => !counts.has(version!)),
        (missing) => missing.length === 0,
      );
      for (const { version, value } of done) expect(counts.get(version!)).toBe(String(value));
      const refused = lines.filter(({ phase }) => phase === 'refused');
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['conflict']));
      expect(refused.every(({ type }) => type === 'increment')).toBe(true);
      console.info(`${done.length} increments done, ${refused.length} conflicts, ${saved.length} saves by hand.`);
      expect(Math.min(done.length, refused.length, saved.length)).toBeGreaterThan(3);
      // No file system call replaces a file only if it is the expected one: a save directly before
      // the rename of a write is lost (decision 0173). A preempted writer makes that time longer.
      expect(overwritten.length).toBeLessThan(3);
      expect(watch.state).toEqual({ status: 'following', problems: [] });
      const sorted = watch.versions.toSorted((one, other) => (one < other ? -1 : 1));
      expect(watch.versions).toEqual(sorted);
      stopping.abort();
      await recording;
    },
    60_000 * effort,
  );

  it(
    'count exactly without changes by hand',
    async () => {
      const counting = await Promise.all([0, 1, 2].map((at) => startWriter(folder.path, `w${at}`, WRITES / 2)));
      writers.push(...counting);
      for (const { process } of counting) expect(await process.exited).toEqual({ code: 0, signal: null });
      const done = counting
        .flatMap((writer) => writer.lines())
        .filter(({ type, phase }) => type === 'increment' && phase === 'done');
      const shared = await folder.openStore().get('shared');
      expect(shared?.metadata.labels?.['count']).toBe(String(done.length));
    },
    60_000 * effort,
  );
});
