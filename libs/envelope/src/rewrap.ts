import type { EnvelopeCipher } from './cipher.ts';
import type { SealedValue } from './sealed-value.ts';

/** Values in one batch: a few megabytes in memory at 64 KiB each. */
const BATCH_SIZE = 50;

/** A stored row with one sealed value. */
export type SealedRow = SealedValue & { readonly id: string };

/** The rows of one batch. */
export interface BatchSelection {
  /** Selects rows whose version is lower than this one. */
  readonly belowVersion: number;
  /** Selects rows of these versions only. */
  readonly versions: readonly number[];
  /** Selects rows whose id is greater; undefined for the first batch. */
  readonly afterId: string | undefined;
  readonly limit: number;
}

/** The new wrapped key of one row. */
export type RewrappedRow = Pick<SealedRow, 'id' | 'key_version' | 'wrapped_key'>;

/** Storage of sealed values for rewrapping. */
export interface RewrapStore<Row extends SealedRow> {
  /** The encryption context in which the value of a row was sealed. */
  getContext(row: Row): string;
  /**
   * Reads a batch in the order of ids, calls `rewrap` and stores its result, in one transaction. It
   * skips rows that another replica has locked. It may repeat the whole transaction.
   *
   * @returns the rows that were read
   */
  updateBatch(selection: BatchSelection, rewrap: (rows: readonly Row[]) => RewrappedRow[]): Promise<readonly Row[]>;
}

/** Options of `rewrapAll`. */
export interface RewrapOptions<Row> {
  /** Whether to stop after the current batch. */
  isStopped: () => boolean;
  /** A value cannot be rewrapped. It keeps its version, and the next values follow. */
  onFailed: (error: unknown, row: Row) => void;
}

/**
 * Rewraps every value of a store whose key-encryption key is older than the current one. A stopped
 * or killed run leaves each value under one version; the next run continues.
 *
 * @returns the number of rewrapped values
 */
export async function rewrapAll<Row extends SealedRow>(
  cipher: EnvelopeCipher,
  store: RewrapStore<Row>,
  { isStopped, onFailed }: RewrapOptions<Row>,
): Promise<number> {
  let afterId: string | undefined;
  let total = 0;
  do {
    let rewrapped: RewrappedRow[] = [];
    const rows = await store.updateBatch(
      { belowVersion: cipher.currentVersion ?? 0, versions: cipher.versions, afterId, limit: BATCH_SIZE },
      (batch) => (rewrapped = rewrapRows(cipher, store, batch, onFailed)),
    );
    total += rewrapped.length;
    afterId = rows.length < BATCH_SIZE ? undefined : rows.at(-1)?.id;
  } while (afterId !== undefined && !isStopped());
  return total;
}

function rewrapRows<Row extends SealedRow>(
  cipher: EnvelopeCipher,
  store: RewrapStore<Row>,
  rows: readonly Row[],
  onFailed: RewrapOptions<Row>['onFailed'],
): RewrappedRow[] {
  return rows.flatMap((row) => {
    try {
      const { key_version, wrapped_key } = cipher.rewrap(row, store.getContext(row));
      return [{ id: row.id, key_version, wrapped_key }];
    } catch (error) {
      onFailed(error, row);
      return [];
    }
  });
}
