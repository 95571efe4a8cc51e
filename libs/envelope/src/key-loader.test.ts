import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvelopeCipher } from './cipher.ts';
import { type FingerprintStore, KeyLoader } from './key-loader.ts';
import { computeFingerprint, KeyRingError, parseKeyRing } from './key-ring.ts';

const createKey = () => randomBytes(32).toString('base64');

/** Fingerprints in memory. */
class MemoryFingerprints implements FingerprintStore {
  private readonly known = new Map<number, string>();

  register(ring: Parameters<FingerprintStore['register']>[0]) {
    const rejected = [...ring.values()]
      .filter((key) => {
        const fingerprint = computeFingerprint(key).toString('hex');
        const known = this.known.get(key.version) ?? fingerprint;
        this.known.set(key.version, known);
        return known !== fingerprint;
      })
      .map(({ version }) => version);
    return Promise.resolve(rejected);
  }
}

describe('KeyLoader', () => {
  let folder: string;
  let loader: KeyLoader;
  let cipher: EnvelopeCipher;
  let log: string[];
  let fingerprints: MemoryFingerprints;
  beforeEach(() => {
    jest.useFakeTimers();
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-key-loader-'));
    cipher = new EnvelopeCipher();
    log = [];
    fingerprints = new MemoryFingerprints();
    loader = createLoader({ folder });
  });
  afterEach(async () => {
    await loader.stop();
    jest.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });

  const createLoader = (source: ConstructorParameters<typeof KeyLoader>[0]) =>
    new KeyLoader(source, cipher, fingerprints, {
      onChanged: (versions) => log.push(`changed ${versions.join()}`),
      onRejected: (versions) => log.push(`rejected ${versions.join()}`),
      onFailed: (error) => log.push(String(error)),
    });
  const write = (version: number, key: string) => writeFileSync(join(folder, String(version)), key);
  const poll = () => jest.advanceTimersByTimeAsync(1_000);

  it('loads a fixed ring and does not poll', async () => {
    loader = createLoader({ ring: parseKeyRing(`1:${createKey()}`) });
    await loader.load();
    loader.start();
    expect([cipher.versions, jest.getTimerCount()]).toEqual([[1], 0]);
  });

  it('loads the keys of a folder and follows its changes', async () => {
    write(1, createKey());
    await loader.load();
    loader.start();
    await poll();
    expect([cipher.versions, log]).toEqual([[1], []]);
    write(2, createKey());
    await poll();
    expect([cipher.versions, log]).toEqual([[1, 2], ['changed 1,2']]);
  });

  it('refuses to start with an invalid folder', async () => {
    await expect(loader.load()).rejects.toThrow(KeyRingError);
  });

  it('keeps the previous keys while the folder is invalid, and reports each failure once', async () => {
    write(1, createKey());
    await loader.load();
    loader.start();
    write(2, 'no key');
    await poll();
    await poll();
    expect([cipher.versions, log]).toEqual([[1], ['KeyRingError: the file 2 is not base64']]);
  });

  it('does not use another key under a version whose fingerprint is stored', async () => {
    const original = createKey();
    write(1, original);
    await loader.load();
    loader.start();
    write(1, createKey());
    write(2, createKey());
    await poll();
    expect([cipher.versions, loader.rejectedVersions, log]).toEqual([[2], [1], ['rejected 1', 'changed 1,2']]);
    write(1, original);
    await poll();
    expect([cipher.versions, loader.rejectedVersions]).toEqual([[1, 2], []]);
  });
});
