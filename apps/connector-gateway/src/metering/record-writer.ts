import type { NewRecord } from './new-record.ts';

/** Most records of one statement, and most statements at a time. */
const MAX_BATCH = 256;
const MAX_STATEMENTS = 2;

interface Waiting {
  record: NewRecord;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Writes new records in groups. The records of one turn of the event loop share a statement; while
 * statements run, further records wait, and the next statement takes all of them. A call alone
 * waits for one commit; many calls share one.
 */
export class RecordWriter {
  private waiting: Waiting[] = [];
  private statements = 0;
  private isScheduled = false;
  /** Whether the last statement failed. */
  hasFailed = false;

  /** @param write resolves after the commit of all records */
  constructor(private readonly write: (records: readonly NewRecord[]) => Promise<void>) {}

  /** Adds a record. Resolves after the commit. */
  add(record: NewRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ record, resolve, reject });
      if (this.isScheduled || this.statements >= MAX_STATEMENTS) return;
      this.isScheduled = true;
      setImmediate(() => {
        this.isScheduled = false;
        void this.flush();
      });
    });
  }

  private async flush(): Promise<void> {
    this.statements += 1;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      try {
        await this.write(batch.map(({ record }) => record));
        this.hasFailed = false;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        if (batch.length === 1 || isOutage(error)) {
          this.hasFailed = true;
          for (const { reject } of batch) reject(error);
        } else await this.writeOneByOne(batch);
      }
    }
    this.statements -= 1;
  }

  /** A record that the database refuses fails alone. */
  private async writeOneByOne(batch: readonly Waiting[]): Promise<void> {
    for (const { record, resolve, reject } of batch) await this.write([record]).then(resolve, reject);
  }
}

/** Whether the database did not execute the statement at all: no SQLSTATE, or one of an outage. */
function isOutage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== 'string' || !/^(?:22|23)/.test(code);
}
