import { describe, expect, it } from '@jest/globals';
import { JsonText, writeJson } from './json-text.ts';

describe('writeJson', () => {
  const texts = ['{"b":1, "a":0.1234567890123456789, "a":1e400}', '[ ]', '"$1 $& $$"'];

  it('writes the texts as they are, in the order in which they stand', () => {
    const [one = '', two = '', three = ''] = texts;
    expect(writeJson({ list: [new JsonText(one), { x: new JsonText(two) }], y: new JsonText(three), z: 1 })).toBe(
      `{"list":[${one},{"x":${two}}],"y":${three},"z":1}`,
    );
  });

  it('writes everything else as JSON.stringify does', () => {
    for (const value of [{ a: [1, null, 'x'] }, 'text', [], { at: new Date(0), no: undefined }])
      expect(writeJson(value)).toBe(JSON.stringify(value));
  });

  it('leaves JSON.stringify with the value of a text', () => {
    writeJson(new JsonText('1'));
    expect(JSON.stringify({ a: new JsonText('{"b": 1}') })).toBe('{"a":{"b":1}}');
  });
});
