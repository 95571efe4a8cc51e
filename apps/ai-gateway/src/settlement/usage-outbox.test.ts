import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { createIntent, createOutcome } from './usage.fixture.ts';
import { UsageOutbox } from './usage-outbox.ts';

describe('UsageOutbox', () => {
  let folder: string;
  const opened: UsageOutbox[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((outbox) => outbox.close()));
    rmSync(folder, { recursive: true });
  });

  async function open(maxEvents = 100) {
    const found = await UsageOutbox.open({ folder, gatewayId: 'ai-a', maxEvents });
    opened.push(found.outbox);
    return found;
  }

  async function readReports(outbox: UsageOutbox): Promise<Record<string, unknown>[]> {
    const batch = await outbox.readBatch(1_000);
    return JSON.parse(batch?.reports ?? '[]') as Record<string, unknown>[];
  }

  it('stores the end of an attempt as one report without the estimate of its intent', async () => {
    const { outbox } = await open();
    const intent = createIntent(1);
    outbox.begin(intent);
    await outbox.finish(intent, createOutcome({ duration_ms: 12.6 }));
    const { estimated_usage: _, ...facts } = intent;
    expect(await readReports(outbox)).toEqual([{ ...facts, ...createOutcome(), duration_ms: 13, gateway_id: 'ai-a' }]);
    expect(outbox.counts).toEqual({ waiting: 1, rejected: 0, running: 0 });
  });

  it('keeps events in the order of their ends over a restart', async () => {
    const { outbox } = await open();
    const intents = [1, 2, 3].map((number) => createIntent(number));
    for (const intent of intents) outbox.begin(intent);
    for (const intent of intents.toReversed()) await outbox.finish(intent, createOutcome());
    await outbox.close();
    const { outbox: next, opened } = await open();
    expect(opened).toEqual({ waiting: 3, rejected: 0, orphans: 0, damaged: 0 });
    expect((await readReports(next)).map(({ interaction_id }) => interaction_id)).toEqual(
      intents.toReversed().map(({ interaction_id }) => interaction_id),
    );
  });

  it('stores one event when the end of an attempt is recorded twice, also at the same time', async () => {
    const { outbox } = await open();
    const intent = createIntent(1);
    outbox.begin(intent);
    await Promise.all([outbox.finish(intent, createOutcome()), outbox.finish(intent, createOutcome())]);
    outbox.begin(createIntent(2));
    await outbox.finish(intent, createOutcome());
    expect(await readReports(outbox)).toHaveLength(1);
    await outbox.close();
    expect((await open()).opened).toMatchObject({ waiting: 2, orphans: 1 });
  });

  it('charges an attempt without an end by its estimate, once', async () => {
    const { outbox } = await open();
    const [finished, orphan, unsent] = [createIntent(1), createIntent(2), createIntent(3)];
    for (const intent of [finished, orphan, unsent]) outbox.begin(intent);
    outbox.discard(unsent);
    await outbox.finish(finished, createOutcome());
    await outbox.close();
    const { outbox: next, opened: state } = await open();
    expect(state).toEqual({ waiting: 2, rejected: 0, orphans: 1, damaged: 0 });
    expect(await readReports(next)).toEqual([
      expect.objectContaining({ interaction_id: finished.interaction_id, outcome: 'delivered' }),
      {
        ...orphan,
        gateway_id: 'ai-a',
        outcome: 'client_disconnect',
        upstream_status: 0,
        duration_ms: 0,
        raw_usage: null,
      },
    ]);
    await next.close();
    expect((await open()).opened).toEqual({ waiting: 2, rejected: 0, orphans: 0, damaged: 0 });
  });

  it('reports an intent that was damaged', async () => {
    const { outbox } = await open();
    outbox.begin(createIntent(1));
    await outbox.close();
    const path = join(folder, 'intents');
    const bytes = readFileSync(path);
    bytes[100]! ^= 1;
    writeFileSync(path, bytes);
    expect((await open()).opened).toEqual({ waiting: 0, rejected: 0, orphans: 0, damaged: 1 });
  });

  it('refuses attempts beyond its maximum until events are settled', async () => {
    const { outbox } = await open(2);
    const [first, second, third] = [createIntent(1), createIntent(2), createIntent(3)];
    outbox.begin(first);
    outbox.begin(second);
    const refusal = expect.objectContaining({ failure: 'unavailable', reason: expect.stringMatching(/it is full/) });
    expect(() => outbox.begin(third)).toThrow(refusal);
    await outbox.finish(first, createOutcome());
    expect(() => outbox.requireUsable()).toThrow(refusal);
    const batch = await outbox.readBatch(1);
    await outbox.settle(batch!, []);
    outbox.begin(third);
    expect(outbox.counts).toEqual({ waiting: 0, rejected: 0, running: 2 });
  });

  it('keeps rejected events aside, and makes them wait again at the next start', async () => {
    const { outbox } = await open();
    const intents = [1, 2, 3].map((number) => createIntent(number));
    for (const intent of intents) {
      outbox.begin(intent);
      await outbox.finish(intent, createOutcome());
    }
    const batch = await outbox.readBatch(2);
    await outbox.settle(batch!, [{ id: batch!.ids[1]!, error: 'the model is unknown' }]);
    expect(outbox.counts).toEqual({ waiting: 1, rejected: 1, running: 0 });
    expect(await readReports(outbox)).toEqual([
      expect.objectContaining({ interaction_id: intents[2]!.interaction_id }),
    ]);
    await outbox.close();
    expect((await open()).opened).toMatchObject({ waiting: 2, rejected: 0 });
  });

  it('refuses an intent that is too long for its slot', async () => {
    const { outbox } = await open();
    const long = { ...createIntent(1), route: 'r'.repeat(9_000) };
    expect(() => outbox.begin(long)).toThrow(
      expect.objectContaining({ failure: 'unavailable', reason: expect.stringMatching(/too long/) }),
    );
    outbox.requireUsable();
    outbox.begin(createIntent(2));
    await outbox.close();
    expect((await open()).opened).toMatchObject({ orphans: 1, damaged: 0 });
  });

  it('starts its thread again, and stores what the ended thread did not', async () => {
    const { outbox } = await open();
    const [first, second] = [createIntent(1), createIntent(2)];
    outbox.begin(first);
    outbox.begin(second);
    const { worker } = (outbox as unknown as { thread: { worker: Worker } }).thread;
    const ended = worker.terminate();
    const refusal = expect.objectContaining({ failure: 'unavailable' });
    await expect(outbox.finish(first, createOutcome())).rejects.toThrow(refusal);
    await ended;
    expect(() => outbox.begin(createIntent(3))).toThrow(refusal);
    await eventually(() => outbox.counts.waiting === 1, 'the first event is stored');
    outbox.requireUsable();
    await outbox.finish(second, createOutcome());
    const ids = (await readReports(outbox)).map(({ interaction_id }) => interaction_id);
    expect(ids).toEqual([first.interaction_id, second.interaction_id]);
    await outbox.close();
    expect((await open()).opened).toMatchObject({ waiting: 2, orphans: 0 });
  });

  it('does not open a folder that is in use, and names it', async () => {
    await open();
    await expect(UsageOutbox.open({ folder, gatewayId: 'ai-a', maxEvents: 1 })).rejects.toThrow(
      `Another process uses the usage outbox in ${folder}.`,
    );
  });

  it('does not open a damaged file', async () => {
    writeFileSync(join(folder, 'usage.db'), 'garbage '.repeat(1_000));
    await expect(UsageOutbox.open({ folder, gatewayId: 'ai-a', maxEvents: 1 })).rejects.toThrow(
      `The usage outbox in ${folder} cannot be opened: file is not a database.`,
    );
    expect(readFileSync(join(folder, 'usage.db'), 'utf8')).toBe('garbage '.repeat(1_000));
  });

  it('does not open a folder that is a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(UsageOutbox.open({ folder: join(folder, 'file'), gatewayId: 'ai-a', maxEvents: 1 })).rejects.toThrow(
      /cannot be opened: EEXIST/,
    );
  });
});
