import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../../errors/cli-error.ts';
import { parseJsonArguments, parseToolArguments } from './tool-arguments.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    deep: { type: 'boolean' },
    list: { type: 'array' },
    map: { type: 'object' },
    any: {},
  },
};

describe('parseToolArguments', () => {
  it.each([
    ['text=1', { text: '1' }],
    ['text=', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['count=3', { count: 3 }],
    ['ratio=0.5', { ratio: 0.5 }],
    ['deep=true', { deep: true }],
    ['list=[1,"a"]', { list: [1, 'a'] }],
    ['map={"a":1}', { map: { a: 1 } }],
    ['any=1', { any: 1 }],
    ['any=one', { any: 'one' }],
    ['unknown=null', { unknown: null }],
  ])('reads %s', (typed, expected) => expect(parseToolArguments([typed], schema)).toEqual(expected));

  it.each(['text', '=x', 'count=1.5', 'count=x', 'count=', 'deep=yes', 'list={}', 'map=[]'])('refuses %s', (typed) => {
    expect(() => parseToolArguments([typed], schema)).toThrow(UsageError);
  });

  it('names the missing arguments', () => {
    const required = { ...schema, required: ['text', 'count'] };
    expect(() => parseToolArguments(['count=1'], required)).toThrow('The tool needs the argument text');
    expect(() => parseToolArguments([], required)).toThrow('The tool needs the arguments text, count');
    expect(parseToolArguments([], { required: 'text' })).toEqual({});
  });
});

describe('parseJsonArguments', () => {
  it('reads an object', () => expect(parseJsonArguments(' {"a": [1]}\n')).toEqual({ a: [1] }));
  it.each(['', '[]', '1', '{a: 1}'])('refuses %j', (text) =>
    expect(() => parseJsonArguments(text)).toThrow('--json-arguments is not a JSON object'),
  );
});
