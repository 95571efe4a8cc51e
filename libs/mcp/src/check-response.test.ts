import { describe, expect, it } from '@jest/globals';
import { DEFAULT_RESPONSE_LIMITS } from './response-limits.ts';
import { checkResponse, type ResponseForm } from './check-event.ts';

const encode = (text: string) => new TextEncoder().encode(text);

const check = (text: string, form: ResponseForm = 'message', limits = DEFAULT_RESPONSE_LIMITS) => {
  const verdict = checkResponse(encode(text), form, limits);
  return 'excess' in verdict
    ? verdict
    : { text: new TextDecoder().decode(verdict.bytes), isReduced: verdict.isReduced };
};
const message = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const parseTools = (text: string): { name: string }[] =>
  (JSON.parse(text) as { result: { tools: { name: string }[] } }).result.tools;

describe('checkMessage', () => {
  it('returns a response within the limits unchanged', () => {
    const texts = [
      message({ content: [{ type: 'text', text: 'é "quoted"' }], isError: false }),
      message({ tools: [tool('a'), tool('b', { description: 'x' })], nextCursor: 'c' }),
      `[${message({ content: [] })}]`,
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }),
      ' {"jsonrpc" : "2.0",\n"id":1, "error": {"code": -1, "message": "no"} } ',
    ];
    for (const text of texts) expect(check(text)).toEqual({ text, isReduced: false });
  });

  it.each<[string, string]>([
    ['more than 50000 values', message({ content: [], structuredContent: { x: times(60_000, () => ({})) } })],
    ['more than 100 levels', `{"result":{"x":${'['.repeat(200)}${']'.repeat(200)}}}`],
    ['more than 500 items of content', message({ content: times(501, () => ({ type: 'text', text: 'x' })) })],
    ['more than 500 items of content', message({ contents: times(501, () => ({ uri: 'a:b', text: 'x' })) })],
    [
      'more than 500 items of content',
      JSON.stringify({ id: 1, method: 'x', params: { messages: times(501, () => ({ role: 'user', content: {} })) } }),
    ],
    ['content that is not valid', message({ content: [{ type: 'text' }] })],
    ['content that is not valid', message({ content: [{}] })],
    ['content that is not valid', message({ content: [{ type: 'constructor' }] })],
    ['content that is not valid', `[${message({ content: [1] })}]`],
    [
      'more than 5000 members in one object',
      message({ structuredContent: Object.fromEntries(times(5_001, (at) => [`k${at}`, at])) }),
    ],
    ['more than 4194304 bytes', message({ content: [{ type: 'text', text: 'x'.repeat(5_000_000) }] })],
    ['a text that is not JSON', '{"result":{"content":['],
  ])('refuses %s', (excess, text) => {
    expect(check(text)).toEqual({ excess });
  });

  it('cuts a list with too many entries', () => {
    const cut = check(message({ tools: times(60_000, (at) => tool(`t${at}`)), nextCursor: 'more' }));
    if (!('text' in cut)) throw new Error(cut.excess);
    expect(parseTools(cut.text)).toHaveLength(2_000);
    expect(JSON.parse(cut.text)).toMatchObject({ jsonrpc: '2.0', id: 1, result: { nextCursor: 'more' } });
  });

  it('omits only entries that are too large, too deep, too wide or invalid', () => {
    const deep = `{"name":"deep","inputSchema":{"type":"object","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`;
    const values = `{"name":"values","inputSchema":{"type":"object","x":[${'{},'.repeat(60_000)}{}]}}`;
    const entries = [
      JSON.stringify(tool('first')),
      JSON.stringify(tool('large', { description: 'x'.repeat(300_000) })),
      deep,
      values,
      '{"name":"no schema"}',
      '{"name":5,"inputSchema":{"type":"object"}}',
      '7',
      '{"name":"broken",}',
      JSON.stringify(tool('last')),
    ];
    const cut = check(`{"jsonrpc":"2.0","id":1,"result":{"tools":[${entries.join(' ,\n')}]}}`);
    if (!('text' in cut)) throw new Error(cut.excess);
    expect(parseTools(cut.text).map(({ name }) => name)).toEqual(['first', 'last']);
  });

  it('cuts a list whose total size is too large', () => {
    const cut = check(message({ tools: times(100, (at) => tool(`t${at}`, { description: 'x'.repeat(100_000) })) }));
    if (!('text' in cut)) throw new Error(cut.excess);
    expect(cut.text.length).toBeLessThan(DEFAULT_RESPONSE_LIMITS.parsedBytes);
    expect(parseTools(cut.text).length).toBeGreaterThan(30);
  });

  it('returns an empty list when all entries are omitted', () => {
    expect(check(message({ tools: [1, 2] }))).toEqual({ text: message({ tools: [] }), isReduced: true });
  });

  it('refuses two lists that exceed the limits, and other members that exceed them', () => {
    const list = JSON.stringify(times(2_001, (at) => tool(`t${at}`)));
    expect(check(`{"result":{"tools":${list},"prompts":${list}}}`)).toHaveProperty('excess');
    expect(check(`{"result":{"tools":${list},"x":[${'1,'.repeat(60_000)}1]}}`)).toEqual({
      excess: 'more than 50000 values',
    });
  });
});

describe('checkResponse for events', () => {
  it.each([
    ['an event with every field', 'event: message\nid: 7\ndata: {"result":{}}\n\n'],
    ['data over several lines', 'data: {"result":\r\ndata: {}}\r\n\r\n'],
    ['a comment', ': still there\n\n'],
    ['an id without data', 'id: 1\nretry: 0\n\n'],
    ['an event of another name, with data that is not JSON', 'event: endpoint\ndata: /messages?id=1\n\n'],
  ])('leaves %s unchanged', (_, text) => {
    expect(check(text, 'event')).toEqual({ text, isReduced: false });
  });

  it('cuts a list in several data lines and keeps the other fields', () => {
    const text = message({ tools: times(2_100, (at) => tool(`t${at}`)) }).replace('"tools":[', '"tools":[\ndata: ');
    const cut = check(`id: 9\r\ndata: ${text}\r\n\r\n`, 'event');
    if (!('text' in cut)) throw new Error(cut.excess);
    const [id, data] = cut.text.split('\n');
    expect(id).toBe('id: 9');
    expect(parseTools(data!.slice('data: '.length))).toHaveLength(2_000);
    expect(cut.text.endsWith('\n\n')).toBe(true);
  });

  it.each([
    ['too many values', `data: {"result":{"x":[${'1,'.repeat(60_000)}1]}}\n\n`],
    ['too many values in many lines', `data: {"result":{"x":[${'1,\ndata: '.repeat(60_000)}1]}}\n\n`],
    ['a large comment', `: ${'x'.repeat(100_000)}\n\n`],
    ['a large event of another name', `event: endpoint\ndata: ${'x'.repeat(100_000)}\n\n`],
  ])('refuses %s', (_, text) => {
    expect(check(text, 'event')).toHaveProperty('excess');
  });
});
