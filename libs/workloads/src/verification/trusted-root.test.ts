import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadTrustedRoot } from './trusted-root.ts';

describe('the root of trust', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'root-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const load = (repository?: string, trustedRootFile?: string) =>
    loadTrustedRoot({ cacheFolder: folder, trustedRootFile, repository });

  it.each([undefined, '', 'tuf-repo-cdn.sigstore.dev', 'https://tuf-repo-cdn.sigstore.dev/'])(
    'of the public instance exists without a network, for the repository %j',
    async (repository) => {
      const root = await load(repository);
      expect(root.certificateAuthorities.length).toBeGreaterThan(0);
      expect(root.tlogs.length).toBeGreaterThan(0);
    },
    30_000,
  );

  it('is written anew when the stored one is damaged', async () => {
    await load();
    const [host = ''] = readdirSync(folder);
    for (const file of ['root.json', 'targets/trusted_root.json']) writeFileSync(join(folder, host, file), 'damaged');
    await load().catch(() => undefined);
    expect((await load()).tlogs.length).toBeGreaterThan(0);
  }, 60_000);

  it('of an unknown instance is refused, and so is a file that is none', async () => {
    await expect(load('tuf.evil.example')).rejects.toThrow('The Sigstore instance tuf.evil.example');
    await expect(load('tuf-repo-cdn.sigstore.dev.evil.example')).rejects.toThrow('is unknown');
    writeFileSync(join(folder, 'file'), '[');
    await expect(load(undefined, join(folder, 'file'))).rejects.toThrow('cannot be read');
    writeFileSync(join(folder, 'file'), '{}');
    await expect(load(undefined, join(folder, 'file'))).rejects.toThrow('names no certificate authority');
  });
});
