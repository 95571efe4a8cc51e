import { describe, expect, it } from '@jest/globals';
import { SealedText } from './sealed-text.ts';

let now = new Date('2026-01-01T00:00:00Z');
const open = (secret = 'a'.repeat(32), purpose = 'one') => new SealedText(secret, purpose, () => now);

describe('SealedText', () => {
  it('is read by every replica, until it expires', async () => {
    const text = await open().seal({ subject: 'alice' }, 600);
    expect(text).not.toContain(Buffer.from('alice').toString('base64url'));
    expect(await open().open(text)).toEqual({ subject: 'alice' });
    now = new Date(now.getTime() + 600_000);
    expect(await open().open(text)).toBeUndefined();
  });

  it('is refused when it was changed, or made with another key or for another purpose', async () => {
    const text = await open().seal({ subject: 'alice' }, 600);
    const at = text.length - 30;
    const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
    for (const other of [changed, '', 'x', 'a.b.c.d.e', `${text}.x`]) expect(await open().open(other)).toBeUndefined();
    expect(await open('b'.repeat(32)).open(text)).toBeUndefined();
    expect(await open('a'.repeat(32), 'two').open(text)).toBeUndefined();
  });
});
