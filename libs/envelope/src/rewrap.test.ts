import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { EnvelopeCipher } from './cipher.ts';
import { type BatchSelection, rewrapAll, type RewrappedRow, type RewrapStore, type SealedRow } from './rewrap.ts';

const [first, second] = [1, 2].map((version) => ({ version, key: randomBytes(32) })) as [VersionedKey, VersionedKey];
type VersionedKey = { version: number; key: Buffer };
const createCipher = (...keys: VersionedKey[]) => {
  const cipher = new EnvelopeCipher();
  cipher.setKeys(new Map(keys.map((key) => [key.version, key])));
  return cipher;
};

/** Sealed rows in memory, in the order of their ids. */
class MemoryStore implements RewrapStore<SealedRow> {
  readonly rows: SealedRow[];
  readonly batches: number[] = [];

  constructor(count: number, cipher = createCipher(first)) {
    this.rows = Array.from({ length: count }, (_, at) => {
      const id = String(at).padStart(4, '0');
      return { id, ...cipher.seal(Buffer.from(`value ${id}`), `row:${id}`) };
    });
  }

  getContext({ id }: SealedRow) {
    return `row:${id}`;
  }

  updateBatch(
    { belowVersion, versions, afterId = '', limit }: BatchSelection,
    rewrap: (rows: readonly SealedRow[]) => RewrappedRow[],
  ) {
    const batch = this.rows
      .filter((row) => row.key_version < belowVersion && versions.includes(row.key_version) && row.id > afterId)
      .slice(0, limit);
    for (const { id, ...wrap } of rewrap(batch))
      Object.assign(
        this.rows.find((row) => row.id === id)!,
        wrap,
      );
    this.batches.push(batch.length);
    return Promise.resolve(batch);
  }

  countRows(version: number) {
    return this.rows.filter(({ key_version }) => key_version === version).length;
  }
}

const options = { isStopped: () => false, onFailed: () => undefined };

describe('rewrapAll', () => {
  it('rewraps every older value in batches of 50, and only once', async () => {
    const store = new MemoryStore(120);
    const cipher = createCipher(first, second);
    expect(await rewrapAll(cipher, store, options)).toBe(120);
    expect([store.batches, store.countRows(2)]).toEqual([[50, 50, 20], 120]);
    expect(await rewrapAll(cipher, store, options)).toBe(0);
    const onlySecond = createCipher(second);
    for (const row of store.rows) expect(String(onlySecond.open(row, store.getContext(row)))).toBe(`value ${row.id}`);
  });

  it('skips values whose key is not configured', async () => {
    const store = new MemoryStore(3);
    expect(await rewrapAll(createCipher(second), store, options)).toBe(0);
    expect(store.countRows(1)).toBe(3);
  });

  it('reports a damaged value, keeps it and continues with the next one', async () => {
    const store = new MemoryStore(60);
    store.rows[7]!.ciphertext = randomBytes(40);
    const failed: string[] = [];
    const total = await rewrapAll(createCipher(first, second), store, {
      ...options,
      onFailed: (_, { id }) => failed.push(id),
    });
    expect([total, failed, store.countRows(1)]).toEqual([59, ['0007'], 1]);
  });

  it('stops after the current batch', async () => {
    const store = new MemoryStore(120);
    expect(await rewrapAll(createCipher(first, second), store, { ...options, isStopped: () => true })).toBe(50);
    expect(store.batches).toEqual([50]);
  });
});
