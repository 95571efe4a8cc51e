import { describe, expect, it } from '@jest/globals';
import { JsonText, writeJson } from './json-text.ts';

describe('writeJson', () => {
  const texts = ['{"b":1, "a":0.1234567890123456789, "a":1e400}', '[ ]', '"$1 $& $$"'];

  it('writes each JsonText unchanged in its place', () => {
    const [one = '', two = '', three = ''] = texts;
    expect(writeJson({ list: [new JsonText(one), { x: new JsonText(two) }], y: new JsonText(three), z: 1 })).toBe(
      `{"list":[${one},{"x":${two}}],"y":${three},"z":1}`,
    );
  });

  it('writes other values as JSON.stringify does', () => {
    for (const value of [{ a: [1, null, 'x'] }, 'text', [], { at: new Date(0), no: undefined }])
      expect(writeJson(value)).toBe(JSON.stringify(value));
  });
});

describe('JsonText', () => {
  it('is written as its value by JSON.stringify', () => {
    writeJson(new JsonText('1'));
    expect(JSON.stringify({ a: new JsonText('{"b": 1}') })).toBe('{"a":{"b":1}}');
  });
});
