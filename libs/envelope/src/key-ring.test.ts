import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { computeFingerprint, decodeKeyFile, KeyRingError, parseKeyRing } from './key-ring.ts';

const random = () => randomBytes(32).toString('base64');
const listProblems = (text: string): readonly string[] => {
  try {
    parseKeyRing(text);
    return [];
  } catch (error) {
    if (error instanceof KeyRingError) return error.problems;
    throw error;
  }
};

describe('parseKeyRing', () => {
  it('reads lines and JSON', () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const lines = `# created in spring\n1:${first.toString('base64')}\n\n 12 : ${second.toString('base64url')} \r\n`;
    const list = JSON.stringify([
      { version: 12, key: second.toString('base64') },
      { version: 1, key: first.toString('base64') },
    ]);
    for (const text of [lines, list]) {
      const ring = parseKeyRing(text);
      expect([ring.size, ring.get(1)?.key.equals(first), ring.get(12)?.key.equals(second)]).toEqual([2, true, true]);
    }
  });

  it.each([
    ['an empty text', '', /contains no key/],
    ['an empty list', '[]', /contains no key/],
    ['broken JSON', '[{"version":1,', /must be a JSON list/],
    ['no version', random(), /line 1 has no version/],
    ['version 0', `0:${random()}`, /key 0 has no version/],
    ['a version beyond integers', `4294967296:${random()}`, /key 4294967296 has no version/],
    ['a fraction of a version', JSON.stringify([{ version: 1.5, key: random() }]), /key 1.5 has no version/],
    ['a key that is not text', JSON.stringify([{ version: 1, key: 7 }]), /key 1 is not base64/],
    ['null in the list', '[null]', /item 1 has no version/],
    ['a short key', `1:${randomBytes(31).toString('base64')}`, /key 1 has 31 bytes instead of 32/],
    ['a long key', `1:${randomBytes(33).toString('base64')}`, /key 1 has 33 bytes instead of 32/],
    ['a key in hex', `1:${randomBytes(32).toString('hex')}`, /key 1 has 48 bytes instead of 32/],
    ['zeros', `1:${Buffer.alloc(32).toString('base64')}`, /key 1 is not random/],
    ['a pattern', `1:${Buffer.alloc(32, 'abcdef\u0000').toString('base64')}`, /key 1 is not random/],
    ['a counter', `1:${Buffer.from([...Array(32).keys()]).toString('base64')}`, /key 1 is not random/],
    ['a pass phrase', `1:${Buffer.from('correct horse battery staple 123').toString('base64')}`, /key 1 is not random/],
    [
      'hexadecimal digits as bytes',
      `1:${Buffer.from(randomBytes(16).toString('hex')).toString('base64')}`,
      /not random/,
    ],
  ])('refuses %s', (_, text, problem) => {
    expect(listProblems(text)).toEqual([expect.stringMatching(problem)]);
  });

  it('reports every problem at once, among them repeated versions and keys, and shows no key', () => {
    const [key, other] = [random(), random()];
    const problems = listProblems(`1:${key}\n1:${other}\n2:${key}\n3:short`);
    expect(problems).toEqual([
      'key 1 repeats version 1',
      'key 2 is the key of another version',
      expect.stringMatching(/^key 3 has 3 bytes/),
    ]);
    for (const secret of [key, other]) expect(problems.join()).not.toContain(secret.slice(0, 8));
  });
});

describe('decodeKeyFile', () => {
  it('reads raw bytes and base64', () => {
    const key = randomBytes(32);
    expect(decodeKeyFile(key)).toEqual(key);
    expect(decodeKeyFile(Buffer.from(`${key.toString('base64')}\n`))).toEqual(key);
    expect(decodeKeyFile(Buffer.from('not / a * key'))).toBeUndefined();
  });
});

describe('computeFingerprint', () => {
  it('depends on the key and on the version, and is not the key', () => {
    const key = randomBytes(32);
    const [one, two] = [computeFingerprint({ version: 1, key }), computeFingerprint({ version: 2, key })];
    expect(one.equals(computeFingerprint({ version: 1, key: Buffer.from(key) }))).toBe(true);
    expect([one.equals(two), one.equals(key)]).toEqual([false, false]);
  });
});
