import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { hashSecret, generateLookup, generateSecret, readSecret } from './scim-secret.ts';
import { canAcceptSecret, rotateSecret, getState, type StoredScimToken } from './scim-token.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const addSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const createSecret = () => generateSecret(generateLookup(randomBytes), randomBytes);

const createStoredToken = (hash: Buffer, more: Partial<StoredScimToken> = {}): StoredScimToken => ({
  id: '00000000-0000-4000-8000-000000000001',
  issuer_id: 'local',
  name: 'Directory',
  lookup: 'aaaaaaaa',
  secret_hash: hash,
  previous_hash: null,
  previous_valid_until: null,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  version: 1,
  created_by_issuer: 'https://id.example.test',
  created_by_subject: 'admin',
  created_at: NOW.toISOString(),
  updated_at: NOW.toISOString(),
  ...more,
});

describe('the secret of a SCIM token', () => {
  it('contains the lookup name of its row', () => {
    for (let round = 0; round < 200; round += 1) {
      const made = createSecret();
      expect(made.text).toMatch(/^ghscim_[a-z2-7]{8}_[0-9A-Za-z]{49}$/);
      expect(readSecret(made.text)).toEqual(made);
    }
  });

  it('is refused by its checksum if one character differs', () => {
    const { text } = createSecret();
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'b' ? 'c' : 'b';
      expect(readSecret(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
    }
  });

  it.each([
    ['an empty text', () => ''],
    ['a prefix', () => 'ghscim_'],
    ['a secret with a space after it', () => `${createSecret().text} `],
    ['a secret with a line break after it', () => `${createSecret().text}\n`],
    ['a secret in upper case', () => createSecret().text.toUpperCase()],
    ['an access token', () => 'eyJhbGciOiJub25lIn0.e30.'],
  ])('is refused if it is %s', (_, text) => {
    expect(readSecret(text())).toBeUndefined();
  });

  it('encodes all 256 random bits', () => {
    const createSecretOfByte = (byte: number) =>
      generateSecret('aaaaaaaa', (bytes) => Buffer.alloc(bytes, byte)).text.slice(16, 59);
    expect(createSecretOfByte(0)).toBe('0'.repeat(43));
    const largest = Array.from(createSecretOfByte(255)).reduce(
      (value, digit) =>
        value * 62n + BigInt('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit)),
      0n,
    );
    expect(largest).toBe(2n ** 256n - 1n);
  });
});

describe('a SCIM token', () => {
  const [old, next, newest] = [hashSecret(createSecret()), hashSecret(createSecret()), hashSecret(createSecret())];

  it('accepts its own secret only', () => {
    expect(canAcceptSecret(createStoredToken(old), old, NOW)).toBe(true);
    expect(canAcceptSecret(createStoredToken(old), next, NOW)).toBe(false);
  });

  it('accepts the previous secret until exactly the end of the grace period', () => {
    const token = rotateSecret(createStoredToken(old), next, 60, NOW);
    expect(canAcceptSecret(token, next, addSeconds(61))).toBe(true);
    expect(canAcceptSecret(token, old, new Date(addSeconds(60).getTime() - 1))).toBe(true);
    expect(canAcceptSecret(token, old, addSeconds(60))).toBe(false);
  });

  it('keeps one previous secret, and none without a grace period', () => {
    const twice = rotateSecret(rotateSecret(createStoredToken(old), next, 60, NOW), newest, 60, NOW);
    expect([newest, next, old].map((hash) => canAcceptSecret(twice, hash, NOW))).toEqual([true, true, false]);
    const hard = rotateSecret(createStoredToken(old), next, 0, NOW);
    expect([next, old].map((hash) => canAcceptSecret(hard, hash, NOW))).toEqual([true, false]);
  });

  it('accepts no secret after it was revoked or expired, also in a grace period', () => {
    const revoked = { ...rotateSecret(createStoredToken(old), next, 60, NOW), revoked_at: NOW.toISOString() };
    expect([next, old].map((hash) => canAcceptSecret(revoked, hash, NOW))).toEqual([false, false]);
    const expiring = rotateSecret(createStoredToken(old, { expires_at: addSeconds(10).toISOString() }), next, 60, NOW);
    expect([next, old].map((hash) => canAcceptSecret(expiring, hash, addSeconds(9)))).toEqual([true, true]);
    expect([next, old].map((hash) => canAcceptSecret(expiring, hash, addSeconds(10)))).toEqual([false, false]);
    expect(getState(expiring, addSeconds(10))).toBe('expired');
  });
});
