import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject } from '../model-request.ts';
import { createReceived, readResponse } from '../read-response.fixture.ts';
import { START_USAGE, USAGE, encodeEvents, events, message } from './message-frames.fixture.ts';
import { messages } from './messages.ts';

const prompt = [{ role: 'user', content: 'Hello' }];
const read = (body: unknown, query = '') => messages.readRequest(createReceived(body, query));
const stream = read({ model: 'claude-x', max_tokens: 10, stream: true, messages: prompt });
const plain = read({ model: 'claude-x', max_tokens: 10, messages: prompt });
const readEvents = (list: readonly JsonObject[]) => readResponse(messages, stream, encodeEvents(list)).report;
const sizesOf = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 });
const start = (usage?: unknown): JsonObject => ({ type: 'message_start', message: { id: 'msg_1', usage } });
const delta = (usage?: unknown): JsonObject => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
const text = (value: string): JsonObject => ({
  type: 'content_block_delta',
  delta: { type: 'text_delta', text: value },
});

describe('readRequest of messages', () => {
  it('reads model, stream and estimate', () => {
    expect(stream).toMatchObject({ model: 'claude-x', isStream: true, estimate: { maxOutputTokens: 10 } });
    expect(stream.estimate.promptTokens).toBeGreaterThan(20);
    expect(plain.isStream).toBe(false);
  });

  it('leaves a missing limit to the provider', () => {
    expect(read({ model: 'claude-x', messages: prompt }).estimate.maxOutputTokens).toBeUndefined();
    expect(read({ model: 'claude-x', max_tokens: 1e300 }).estimate.maxOutputTokens).toBe(1_000_000_000);
  });

  it.each([
    [{ messages: prompt }, 'model'],
    [{ model: ['claude-x'] }, 'model'],
    [{ model: 'm', stream: 'true' }, 'stream'],
    [{ model: 'm', max_tokens: '5' }, 'max_tokens'],
    ['{"model":"a","max_tokens":1,"model":"b"}', 'model'],
    ['{"model":"a","stream":true,"stream":false}', 'stream'],
  ])('refuses %j and names the field', (body, field) => {
    let caught: unknown;
    try {
      read(body);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ModelCallError);
    expect(caught).toMatchObject({ failure: 'invalid_request', field });
  });
});

describe('a request of messages to the provider', () => {
  it('has the path and the query of the client', () => {
    expect(messages.createPath(stream, 'claude-x')).toBe('/messages');
    expect(messages.createPath(read({ model: 'm' }, 'beta=true'), 'm')).toBe('/messages?beta=true');
  });

  it('has the bytes of the client, except for the name of the model', () => {
    const body = '{ "max_tokens" : 1.0, "model" : "alias", "metadata": {"model": "alias"} }';
    const create = (model: string) => Buffer.from(messages.createBody(read(body), model)).toString();
    expect(create('alias')).toBe(body);
    expect(create('claude-x')).toBe(body.replace('"model" : "alias"', '"model" : "claude-x"'));
  });
});

describe('streams of messages', () => {
  it('pass unchanged and report the last usage, for all chunks and line ends', () => {
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n', '\r'), sizesOf, (lineEnd, sizes) => {
        const bytes = encodeEvents(events, lineEnd);
        const { text: received, report } = readResponse(messages, stream, bytes, sizes);
        expect(received).toBe(bytes.toString());
        expect(report).toMatchObject({
          usage: USAGE,
          promptUsage: undefined,
          isComplete: true,
          model: 'claude-opus-5-5',
          responseId: 'msg_01XFDUDYJgAACzvnptvVoYEL',
        });
        expect(report.failure).toBeUndefined();
        expect(report.finishReasons).toEqual(['tool_use']);
      }),
      { seed, numRuns: 200 * effort },
    );
  });

  it('pass at once', () => {
    const reader = messages.createReader(stream);
    for (const byte of encodeEvents(events.slice(0, 4))) {
      const chunk = Buffer.of(byte);
      expect(reader.push(chunk)).toBe(chunk);
    }
  });

  it('keep counts of the start that no later event has, and never add', () => {
    const report = readEvents([
      start({ input_tokens: 25, cache_read_input_tokens: 7, output_tokens: 1 }),
      delta({ output_tokens: 10, cache_read_input_tokens: null }),
      delta({ output_tokens: 30, server_tool_use: { web_search_requests: 2 } }),
      delta({ output_tokens: 50, server_tool_use: { web_fetch_requests: 1 } }),
    ]);
    expect(report.usage).toEqual({
      input_tokens: 25,
      cache_read_input_tokens: 7,
      output_tokens: 50,
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
    });
  });

  it('report the prompt and the searches, and no placeholder, when they break before the usage', () => {
    const report = readEvents(events.slice(0, -3));
    const { output_tokens: _placeholder, ...counted } = START_USAGE;
    expect(report.usage).toBeUndefined();
    expect(report.promptUsage).toEqual({ ...counted, server_tool_use: { web_search_requests: 1 } });
    expect(report.isComplete).toBe(false);
  });

  it('count the generated text', () => {
    const block = (content_block: JsonObject): JsonObject => ({ type: 'content_block_start', content_block });
    const part = (value: JsonObject): JsonObject => ({ type: 'content_block_delta', delta: value });
    const list = [
      block({ type: 'thinking', thinking: '', signature: '' }),
      part({ type: 'thinking_delta', thinking: '12345' }),
      part({ type: 'signature_delta', signature: 'not counted' }),
      block({ type: 'thinking', thinking: '', signature: '' }),
      part({ type: 'signature_delta', signature: '123' }),
      block({ type: 'redacted_thinking', data: '12' }),
      block({ type: 'tool_use', name: 'ab', input: {} }),
      part({ type: 'input_json_delta', partial_json: '{"a":1}' }),
      part({ type: 'text_delta', text: 'é' }),
    ];
    expect(readEvents(list).outputBytes).toBe(5 + 3 + 2 + 4 + '{\\"a\\":1}'.length + 2);
  });

  it('count the text of events without a name', () => {
    const bytes = Buffer.from(`data: ${JSON.stringify(text('12345'))}\n\n`);
    expect(readResponse(messages, stream, bytes).report.outputBytes).toBe(5);
  });

  it('end with the error of the provider, of which only the type is kept', () => {
    const report = readEvents([
      start({ input_tokens: 1, output_tokens: 1 }),
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ]);
    expect(report).toMatchObject({ failure: 'overloaded_error', isComplete: false });
  });

  it('report no usage that cannot be charged', () => {
    expect(readEvents([start({ input_tokens: -1, output_tokens: 1 })]).promptUsage).toBeUndefined();
    expect(readEvents([start({ input_tokens: 1 }), delta({ output_tokens: 1e300 })]).usage).toBeUndefined();
    expect(readEvents([start(), delta()]).usage).toBeUndefined();
  });

  it('never fail on events of another form', () => {
    const type = fc.constantFrom('message_start', 'content_block_start', 'content_block_delta', 'message_delta', 'x');
    const member = fc.constantFrom('message', 'content_block', 'delta', 'usage', 'error');
    const odd = fc.tuple(type, fc.dictionary(member, fc.jsonValue()));
    fc.assert(
      fc.property(fc.array(odd), sizesOf, (list, sizes) => {
        const bytes = encodeEvents(list.map(([name, rest]) => ({ ...rest, type: name })));
        expect(readResponse(messages, stream, bytes, sizes).text).toBe(bytes.toString());
      }),
      { seed, numRuns: 200 * effort },
    );
  });

  it('never fail on garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), sizesOf, fc.boolean(), (bytes, sizes, isStream) => {
        const { text: received } = readResponse(messages, isStream ? stream : plain, bytes, sizes);
        expect(received).toBe(Buffer.from(bytes).toString());
      }),
      { seed, numRuns: 200 * effort },
    );
  });
});

describe('a plain message', () => {
  it('passes unchanged and reports its usage', () => {
    const bytes = Buffer.from(JSON.stringify(message, undefined, 1));
    const { text: received, report } = readResponse(messages, plain, bytes, [7]);
    expect(received).toBe(bytes.toString());
    expect(report).toMatchObject({ usage: USAGE, isComplete: true, finishReasons: ['tool_use'] });
    expect(report.outputBytes).toBe(16 + Buffer.byteLength('Grüße 🎉') + 11 + '{"location":"Berlin"}'.length);
  });

  it('reports the usage of a very long message', () => {
    const content = [{ type: 'text', text: 'long '.repeat(100_000) }];
    const { report } = readResponse(messages, plain, Buffer.from(JSON.stringify({ ...message, content })), [4_096]);
    expect(report).toMatchObject({ usage: USAGE, isComplete: true, finishReasons: ['tool_use'] });
  });

  it('without usage counts its text', () => {
    const { usage: _usage, ...rest } = message;
    const { report } = readResponse(messages, plain, Buffer.from(JSON.stringify(rest)));
    expect(report.usage).toBeUndefined();
    expect(report.outputBytes).toBeGreaterThan(40);
  });

  it('is read as a document also if a stream was requested', () => {
    const reader = messages.createReader(stream, 'application/json');
    reader.push(Buffer.from(JSON.stringify(message)));
    reader.end();
    expect(reader.report.usage).toEqual(USAGE);
  });
});
