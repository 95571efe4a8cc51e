import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../config/config.ts';
import { addEmbeddedKey } from './embedded-key.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gatehouse-embedded-key-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const createSettings = (more: Record<string, string> = {}) =>
  loadSettings({
    MODE: 'local',
    BACKENDS: 'backends: []',
    ISSUERS: '[{ "id": "local", "issuer": "http://127.0.0.1:8090" }]',
    AUDIENCE: 'urn:test',
    CURSOR_KEY: 'k'.repeat(32),
    GATEHOUSE_HOME: home,
    ...more,
  });

describe('addEmbeddedKey', () => {
  it('creates one private key and uses it again at the next start', () => {
    const { KEY_ENCRYPTION_KEYS } = addEmbeddedKey(createSettings());
    expect([...(KEY_ENCRYPTION_KEYS ?? [])].map(([version]) => version)).toEqual([1]);
    const folder = join(home, 'connector-gateway');
    expect(readdirSync(folder)).toEqual(['key-encryption-keys']);
    expect(statSync(join(folder, 'key-encryption-keys')).mode & 0o777).toBe(0o600);
    expect(addEmbeddedKey(createSettings()).KEY_ENCRYPTION_KEYS).toEqual(KEY_ENCRYPTION_KEYS);
  });

  it('creates no key for a database of its own address', () => {
    const settings = createSettings({ DATABASE_URL: 'postgres://db.example/gateway' });
    expect(addEmbeddedKey(settings)).toBe(settings);
    expect(readdirSync(home)).toEqual([]);
  });

  it('refuses a damaged file and keeps it', () => {
    addEmbeddedKey(createSettings());
    const file = join(home, 'connector-gateway', 'key-encryption-keys');
    writeFileSync(file, '1:damaged');
    expect(() => addEmbeddedKey(createSettings())).toThrow('key 1');
    expect(statSync(file).size).toBe('1:damaged'.length);
  });
});
