import { describe, expect, it } from '@jest/globals';
import { ResponseLimitError, DEFAULT_RESPONSE_LIMITS } from './response-limits.ts';
import { EventSplitter } from './event-splitter.ts';
import { createCheckedFetch } from './checked-fetch.ts';

const answering = (body: string, type = 'application/json', status = 200, onExcess?: (error: Error) => void) =>
  createCheckedFetch(
    () => Promise.resolve(new Response(body, { status, headers: { 'content-type': type } })),
    DEFAULT_RESPONSE_LIMITS,
    onExcess,
  )('http://server.test/mcp');

const tool = (at: number) => ({ name: `t${at}`, inputSchema: { type: 'object' } });
const list = (tools: number) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: Array.from({ length: tools }, (_, at) => tool(at)) } });

describe('createCheckedFetch', () => {
  it('returns small and large responses within the limits unchanged', async () => {
    for (const length of [10, 3_000_000]) {
      const text = JSON.stringify({ result: { content: [{ type: 'text', text: 'x'.repeat(length) }] } });
      expect(await (await answering(text)).text()).toBe(text);
    }
  });

  it('refuses small and large responses that exceed the limits', async () => {
    const bomb = (values: number) => `{"result":{"x":[${'{},'.repeat(values)}{}]}}`;
    await expect(answering(bomb(60_000), 'application/json; charset=utf-8')).rejects.toThrow(ResponseLimitError);
    await expect(answering(bomb(5_000_000))).rejects.toThrow('answered with more than 4194304 bytes');
    await expect(answering('x'.repeat(17_000_000))).rejects.toThrow('answered with more than 16777216 bytes');
  });

  it('cuts a large list in the worker', async () => {
    const response = (await (await answering(list(60_000))).json()) as { result: { tools: object[] } };
    expect(response.result.tools).toHaveLength(2_000);
  });

  it('checks concurrent large responses separately', async () => {
    const bodies = [list(10_000), '[1,', list(20_000), `{"x":${'['.repeat(500_000)}`];
    const outcomes = await Promise.allSettled(bodies.map(async (body) => (await answering(body)).json()));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  });

  it('checks the events of a stream and reports the exceeded limit', async () => {
    const excesses: string[] = [];
    const good = 'data: {"result":{}}\n\n';
    const bad = `data: {"result":{"x":[${'{},'.repeat(400_000)}{}]}}\n\n`;
    const stream = await answering(good + bad + good, 'text/event-stream', 200, ({ message }) =>
      excesses.push(message),
    );
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(good);
    await expect(reader.read()).rejects.toThrow('more than 50000 values');
    expect(excesses).toEqual(['answered with more than 50000 values']);
  });

  it('yields to other work between small events', async () => {
    const stream = await answering('data: {"result":{}}\n\n'.repeat(1_600), 'text/event-stream');
    const state = { ended: false };
    const text = stream.text().finally(() => (state.ended = true));
    let turns = 0;
    while (!state.ended) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    expect((await text).length).toBe(1_600 * 21);
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  it.each(['\n', '\r\n', ':\n\n', 'event: x\n\n'])('drops many %j before an event', async (block) => {
    const event = 'data: {"result":{}}\n\n';
    const stream = await answering(block.repeat(65_536 / block.length) + event, 'text/event-stream');
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let chunks = 0;
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      chunks += 1;
      text += new TextDecoder().decode(part.value);
    }
    expect(chunks).toBe(1);
    expect(text.trimStart()).toBe(event);
  });

  it.each(['\n', ':\n\n', 'retry: 1\n\n'])('ends a stream that contains only %j', async (block) => {
    const excesses: string[] = [];
    const body = block.repeat(1_100_000 / block.length);
    const stream = await answering(body, 'text/event-stream', 200, ({ message }) => excesses.push(message));
    await expect(stream.text()).rejects.toThrow('more than 1048576 bytes without data');
    expect(excesses).toHaveLength(1);
  });

  it('returns only the beginning of errors and of other media types', async () => {
    expect((await (await answering('x'.repeat(1_000_000), 'text/html', 502)).text()).length).toBe(65_536);
    expect((await (await answering('x'.repeat(1_000_000), 'text/plain')).text()).length).toBe(65_536);
  });
});

describe('EventSplitter', () => {
  const events = ['data: a\n\n', 'data: b\r\n\r\n', 'data: c\r\r', 'retry: 1\n\n', 'id\n\n'];
  const stream = new TextEncoder().encode(events.join(''));

  it('splits after each event for any chunks', () => {
    for (let size = 1; size <= stream.length; size += 1) {
      const splitter = new EventSplitter(1_000);
      const found: string[] = [];
      for (let at = 0; at < stream.length; at += size)
        found.push(...splitter.push(stream.subarray(at, at + size)).map((event) => new TextDecoder().decode(event)));
      expect(found.map((event) => event.trim())).toEqual(events.map((event) => event.trim()));
    }
  });

  it('keeps every byte when it keeps all blocks, and ends an event with its line end', () => {
    const text = `: comment\n\n${events.join('')}\r\n: cut`;
    const bytes = new TextEncoder().encode(text);
    for (let size = 1; size <= bytes.length; size += 1) {
      const splitter = new EventSplitter(1_000, 'all');
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...splitter.push(bytes.subarray(at, at + size)).map((event) => new TextDecoder().decode(event)));
      expect(splitter.hasRest).toBe(true);
      expect(found.join('') + new TextDecoder().decode(splitter.takeRest())).toBe(text);
      expect(found[1]).toBe(events[0]);
      if (size === bytes.length) expect(found.slice(1, 6)).toEqual(events);
    }
  });

  it('keeps the first event of a stream with a byte order mark', () => {
    const bytes = new TextEncoder().encode('\ufeffdata: a\n\n');
    expect(new EventSplitter(1_000).push(bytes)).toEqual([bytes]);
  });

  it('resets the count of bytes without data at each event with data', () => {
    const splitter = new EventSplitter(2_000_000);
    const quiet = new TextEncoder().encode('\n'.repeat(1_000_000));
    const data = new TextEncoder().encode('data: a\n\n');
    for (let at = 0; at < 3; at += 1) {
      expect(splitter.push(quiet)).toEqual([]);
      expect(splitter.push(data)).toHaveLength(1);
    }
  });

  it('refuses an endless event', () => {
    const splitter = new EventSplitter(100);
    expect(() => {
      for (let at = 0; at < 20; at += 1) splitter.push(new TextEncoder().encode('data: xx\n'));
    }).toThrow(ResponseLimitError);
  });
});
