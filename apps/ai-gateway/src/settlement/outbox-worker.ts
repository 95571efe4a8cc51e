import { parentPort, workerData } from 'node:worker_threads';
import { IntentFile } from './intent-file.ts';
import type {
  OpenedOutbox,
  OutboxFiles,
  OutboxMessage,
  OutboxRequest,
  OutboxResponse,
  OutboxTask,
} from './outbox-messages.ts';
import { createOrphanEvent } from './usage-event.ts';
import { UsageDatabase } from './usage-database.ts';

// This thread has the database. It commits with the disk, which would block the main thread.

/** SQLITE_BUSY. The higher bits of the code say in which situation. */
const isBusy = (error: unknown): boolean => (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 5;

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

class OutboxWorker {
  private readonly database: UsageDatabase;
  private readonly intents: IntentFile;

  constructor({ database, intents }: OutboxFiles) {
    this.database = new UsageDatabase(database);
    this.intents = new IntentFile(intents);
  }

  /**
   * Stores an event for each intent without one. Only then it empties the intents, so a crash
   * repeats this without another event.
   */
  recover(gatewayId: string): OpenedOutbox {
    const { intents, damaged } = this.intents.read();
    const orphans = intents.filter((intent) => !this.database.has(intent));
    this.database.transact(() => {
      this.database.returnRejected();
      for (const intent of orphans) this.database.insert(createOrphanEvent(gatewayId, intent), Date.now());
    });
    this.intents.clearAll();
    return { ...this.database.counts, orphans: orphans.length, damaged };
  }

  open({ isProcessStart, gatewayId }: OutboxFiles): OpenedOutbox {
    return isProcessStart ? this.recover(gatewayId) : { ...this.database.counts, orphans: 0, damaged: 0 };
  }

  /** Commits the writes together, then reads. */
  perform(requests: readonly OutboxRequest[]): void {
    const writes = requests.filter(({ task }) => isWrite(task));
    if (writes.length > 0) this.commit(writes);
    for (const request of requests) if (!isWrite(request.task)) this.read(request);
  }

  close(): void {
    this.database.close();
    this.intents.close();
  }

  private commit(writes: readonly OutboxRequest[]): void {
    const ids = writes.map(({ id }) => id);
    const begun = performance.now();
    try {
      // Emptied slots must be on the disk before their events are removed. Otherwise a loss of
      // power would make them orphans.
      if (writes.some(({ task }) => task.type === 'settle')) this.intents.flush();
      this.database.transact(() => {
        for (const { task } of writes) this.write(task);
      });
      for (const { task } of writes)
        if (task.type === 'store' && task.slot !== undefined) this.intents.clear(task.slot);
      const seconds = (performance.now() - begun) / 1_000;
      send({ type: 'committed', ids, counts: this.database.counts, seconds });
    } catch (error) {
      send({ type: 'failed', ids, reason: describe(error) });
    }
  }

  private write(task: OutboxTask): void {
    if (task.type === 'store') this.database.insert(task.event, Date.now());
    if (task.type !== 'settle') return;
    for (const { id, error } of task.rejected) this.database.reject(id, error);
    this.database.remove(task.ids[0] ?? 0, task.ids.at(-1) ?? -1);
    this.database.shrink();
  }

  private read({ id, task }: OutboxRequest): void {
    try {
      const value = task.type === 'read' ? this.database.readBatch(task.limit) : this.database.readOldest();
      send({ type: 'result', id, value });
    } catch (error) {
      send({ type: 'failed', ids: [id], reason: describe(error) });
    }
  }
}

const isWrite = ({ type }: OutboxTask): boolean => type === 'store' || type === 'settle';

if (parentPort === null) throw new Error('this program runs as a worker thread');
const port = parentPort;
const send = (response: OutboxResponse): void => port.postMessage(response);

try {
  const files = workerData as OutboxFiles;
  const worker = new OutboxWorker(files);
  send({ type: 'opened', opened: worker.open(files) });
  port.on('message', (message: OutboxMessage) => {
    if (message !== 'close') {
      worker.perform(message);
      return;
    }
    worker.close();
    port.close();
  });
} catch (error) {
  send({ type: 'unusable', reason: describe(error), isInUse: isBusy(error) });
}
