import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { defineKeyEncryptionSettings, findKeyPlaceProblem } from './key-encryption-settings.ts';

const schema = z.object(defineKeyEncryptionSettings('Without a key, nothing is stored'));
const createKey = () => randomBytes(32).toString('base64');

describe('defineKeyEncryptionSettings', () => {
  it('reads the keys of a text and describes what happens without a key', () => {
    const { KEY_ENCRYPTION_KEYS } = schema.parse({ KEY_ENCRYPTION_KEYS: `1:${createKey()}\n2:${createKey()}` });
    expect([...(KEY_ENCRYPTION_KEYS ?? [])].map(([version]) => version)).toEqual([1, 2]);
    expect(schema.shape.KEY_ENCRYPTION_KEYS.description).toContain('Without a key, nothing is stored');
  });

  it('reports every invalid key without a part of it', () => {
    const invalid = Buffer.from('an invalid key that is not random').toString('base64');
    const { error } = schema.safeParse({ KEY_ENCRYPTION_KEYS: `1:${invalid}\n2:x` });
    expect(error?.issues.map(({ path }) => path)).toEqual([['KEY_ENCRYPTION_KEYS'], ['KEY_ENCRYPTION_KEYS']]);
    expect(error?.message).not.toContain(invalid);
  });

  it('accepts a folder with keys and refuses an empty one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-key-settings-'));
    try {
      expect(schema.safeParse({ KEY_ENCRYPTION_KEYS_DIR: folder }).success).toBe(false);
      writeFileSync(join(folder, '1'), createKey());
      expect(schema.parse({ KEY_ENCRYPTION_KEYS_DIR: folder })).toEqual({ KEY_ENCRYPTION_KEYS_DIR: folder });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('findKeyPlaceProblem', () => {
  it('accepts one place of the keys or none, and refuses both', () => {
    expect(findKeyPlaceProblem({})).toBeUndefined();
    expect(findKeyPlaceProblem({ KEY_ENCRYPTION_KEYS_DIR: '/keys' })).toBeUndefined();
    expect(findKeyPlaceProblem({ KEY_ENCRYPTION_KEYS: new Map(), KEY_ENCRYPTION_KEYS_DIR: '/keys' })).toContain(
      'not both',
    );
  });
});
