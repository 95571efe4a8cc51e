import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { waitForValue } from '@gatehouse/testing/eventually';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import type { FileResourceStore } from '../src/files/file-resource-store.ts';
import { createPolicy, TestFolder } from '../src/files/test-folder.fixture.ts';
import { countDone, startWriter, type Writer, type WriterLine } from './writers.ts';

const KILLS = 12 * effort;

/** The last completed write of a resource, and a write that began after it. */
interface Known {
  done?: WriterLine;
  begun?: WriterLine;
}

/** Reads the lines of a writer into what is known. */
function learn(known: Map<string, Known>, lines: readonly WriterLine[]): void {
  for (const line of lines) {
    const { done } = known.get(line.name) ?? {};
    if (line.phase === 'begun') known.set(line.name, { ...(done && { done }), begun: line });
    if (line.phase === 'done') known.set(line.name, { done: line });
    if (line.phase === 'refused') known.set(line.name, done ? { done } : {});
  }
}

/** A number from 0 to 1 for each kill of this run. */
const draw = (at: number): number => ((((seed * 9301 + at * 49_297) % 233_280) + 233_280) % 233_280) / 233_280;

describe('processes that are killed with SIGKILL while they write resources', () => {
  let folder: TestFolder;
  const writers: Writer[] = [];
  beforeEach(async () => {
    folder = new TestFolder();
    await folder.openStore().create(createPolicy('shared'));
    await folder.closeStores();
  });
  afterEach(async () => {
    await Promise.all(writers.splice(0).map((writer) => writer.process.killHard()));
    await folder.close();
  });

  const start = async (id: string): Promise<Writer> => {
    const writer = await startWriter(folder.path, id);
    writers.push(writer);
    await waitForValue(
      () => countDone(writer),
      (count) => count > 0,
    );
    return writer;
  };

  /** The state that a line leads to. */
  const describeResult = (line: WriterLine | undefined): string =>
    line === undefined || line.type === 'delete' ? 'absent' : `${line.description ?? line.value}`;

  async function describeStored(store: FileResourceStore, name: string): Promise<string> {
    const resource = await store.get(name);
    if (resource === undefined) return 'absent';
    const { description } = resource.spec as { description?: string };
    return description ?? resource.metadata.labels?.['count'] ?? '';
  }

  /**
   * Checks all resources of one killed writer after the next start, and learns their states.
   * @returns the last version
   */
  async function check(known: Map<string, Known>): Promise<bigint> {
    const store = folder.openStore();
    const watch = folder.watch(store);
    const { items, resourceVersion } = await store.list();
    for (const [name, { done, begun }] of known) {
      if (name === 'shared') continue;
      const possible = [describeResult(done), ...(begun ? [describeResult(begun)] : [])];
      expect(possible).toContain(await describeStored(store, name));
      if (begun === undefined && done?.version !== undefined)
        expect((await store.get(name))?.metadata.resourceVersion).toBe(done.version);
    }
    const files = new Map(
      readdirSync(folder.path)
        .filter((name) => name.startsWith('aipolicy-a-'))
        .map((name) => parse(folder.read(name)) as { metadata: { name: string }; spec: unknown })
        .map(({ metadata, spec }) => [metadata.name, spec]),
    );
    for (const { metadata, spec } of items)
      if (known.has(metadata.name) && metadata.name !== 'shared') expect(files.get(metadata.name)).toEqual(spec);
    for (const name of known.keys()) {
      const description = await describeStored(store, name);
      const type = description === 'absent' ? 'delete' : 'patch';
      known.set(name, { done: { type, phase: 'done', name, description } });
    }
    await waitForValue(
      () => watch.state?.status,
      (status) => status === 'following',
    );
    expect(watch.state?.problems).toEqual([]);
    await folder.closeStores();
    return BigInt(resourceVersion);
  }

  it(
    'keep every acknowledged write, leave no file half-written, and do not stop other processes',
    async () => {
      const survivor = await start('b');
      const known = new Map<string, Known>();
      let [last, acknowledged, cut] = [0n, 0, 0];
      for (let kill = 0; kill < KILLS; kill += 1) {
        const writer = await start('a');
        await sleep(draw(kill) * 150);
        await writer.process.killHard();
        learn(known, writer.lines());
        acknowledged += countDone(writer);
        cut += [...known.values()].filter(({ begun }) => begun !== undefined).length;
        const before = countDone(survivor);
        await waitForValue(
          () => countDone(survivor),
          (count) => count > before,
        );
        const versions = writer.lines().map(({ version }) => BigInt(version ?? 0));
        const latest = await check(known);
        for (const version of [last, ...versions]) expect(latest).toBeGreaterThanOrEqual(version);
        last = latest;
        // The result of a killed write is known now.
        for (const [name, { done }] of known) known.set(name, done ? { done } : {});
      }
      expect(survivor.process.stderr()).toBe('');
      console.info(`${KILLS} processes were killed: ${acknowledged} writes acknowledged, ${cut} cut off.`);
      await survivor.process.killHard();
      await folder.openStore().list();
      expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
    60_000 + KILLS * 5_000,
  );
});
