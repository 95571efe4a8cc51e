import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { ModelCallError } from '../model-call-error.ts';
import { createReceived, readResponse } from '../read-response.fixture.ts';
import { chatCompletions } from './chat-completions.ts';
import { USAGE, encodeFrames, plainData, usageData, usageOnEachChunk } from './chat-frames.fixture.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const read = (body: unknown) => chatCompletions.readRequest(createReceived(body));
const bodyText = (body: unknown, model = 'gpt-5') =>
  Buffer.from(chatCompletions.createBody(read(body), model)).toString();
const failure = (body: unknown) => {
  try {
    read(body);
  } catch (error) {
    const { failure: kind, field } = error as ModelCallError;
    return { kind, field };
  }
  return undefined;
};
const silent = read({ model: 'gpt-5', stream: true, messages });
const asking = read({ model: 'gpt-5', stream: true, stream_options: { include_usage: true }, messages });
const sizesOf = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 20 });

describe('readRequest of chat completions', () => {
  it('reads model, stream and estimate', () => {
    const request = read({ model: 'gpt-5', stream: true, n: 2, max_completion_tokens: 50, messages });
    expect(request).toMatchObject({ model: 'gpt-5', isStream: true, estimate: { maxOutputTokens: 100 } });
    expect(request.estimate.promptTokens).toBeGreaterThan(20);
    expect(read({ model: 'gpt-5', messages }).estimate.maxOutputTokens).toBeUndefined();
    expect(read({ model: 'gpt-5', n: 2, messages }).estimate.maxOutputTokens).toBe(256_000);
    expect(read({ model: 'gpt-5', max_tokens: -1, messages }).estimate.maxOutputTokens).toBeUndefined();
  });

  it('does not count images and audio by their bytes', () => {
    const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
    const content = [
      { type: 'image_url', image_url: { url } },
      { type: 'image_url', image_url: { url, detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'A'.repeat(12_800), format: 'mp3' } },
    ];
    const { promptTokens } = read({ model: 'gpt-5', messages: [{ role: 'user', content }] }).estimate;
    expect(promptTokens).toBeGreaterThan(3_779 + 630 + 100);
    expect(promptTokens).toBeLessThan(3_779 + 630 + 100 + 200);
  });

  it.each([
    [{ messages }, 'model'],
    [{ model: 5, messages }, 'model'],
    [{ model: 'm\n', messages }, 'model'],
    [{ model: 'm\ud800', messages }, 'model'],
    [{ model: 'x'.repeat(257), messages }, 'model'],
    [{ model: 'm', stream: 'yes' }, 'stream'],
    [{ model: 'm', stream_options: [] }, 'stream_options'],
    [{ model: 'm', stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
    [{ model: 'm', n: 0 }, 'n'],
    [{ model: 'm', n: 1.5 }, 'n'],
    [{ model: 'm', max_tokens: '5' }, 'max_tokens'],
    ['{"model":"a","model":"b"}', 'model'],
    ['{"model":"a","mod\\u0065l":"b"}', 'model'],
    ['{"model":"a","stream":true,"stream":false}', 'stream'],
    ['{"model":"a","stream_options":{"include_usage":true,"include_usage":false}}', 'stream_options.include_usage'],
  ])('refuses %j and names the field', (body, field) => {
    expect(failure(body)).toEqual({ kind: 'invalid_request', field });
  });

  it('accepts null where the vendor does', () => {
    expect(failure({ model: 'm', stream: null, stream_options: null, n: null, max_tokens: null })).toBeUndefined();
  });
});

describe('createBody of chat completions', () => {
  it('keeps the bytes of a request that needs no change', () => {
    const text = '{ "model" : "gpt-5" ,\n "messages":[] }';
    expect(bodyText(text)).toBe(text);
  });

  it('replaces only the name of the model', () => {
    expect(bodyText('{"messages":[{"model":"x"}], "mod\\u0065l": "my\\u002dmodel" }', 'gpt-5"')).toBe(
      '{"messages":[{"model":"x"}], "mod\\u0065l": "gpt-5\\"" }',
    );
  });

  it.each([
    ['{"stream":true,"model":"gpt-5"}', '{"stream":true,"model":"gpt-5","stream_options":{"include_usage":true}}'],
    [
      '{"model":"gpt-5","stream":true,"stream_options":null}',
      '{"model":"gpt-5","stream":true,"stream_options":{"include_usage":true}}',
    ],
    [
      '{"model":"gpt-5","stream":true,"stream_options":{}}',
      '{"model":"gpt-5","stream":true,"stream_options":{"include_usage":true}}',
    ],
    [
      '{"model":"gpt-5","stream":true,"stream_options":{ "include_obfuscation":false}}',
      '{"model":"gpt-5","stream":true,"stream_options":{"include_usage":true, "include_obfuscation":false}}',
    ],
    [
      '{"stream_options":{"include_usage":false,"x":1},"model":"gpt-5","stream":true}',
      '{"stream_options":{"include_usage":true,"x":1},"model":"gpt-5","stream":true}',
    ],
    [
      '{"stream_options":{"include_usage": true},"model":"gpt-5","stream":true}',
      '{"stream_options":{"include_usage": true},"model":"gpt-5","stream":true}',
    ],
  ])('asks for the usage of the stream %s', (sent, expected) => {
    expect(bodyText(sent)).toBe(expected);
  });

  it('asks for the usage of every stream and changes no other value', () => {
    const options = fc.option(
      fc.record({ include_usage: fc.option(fc.boolean()), include_obfuscation: fc.boolean() }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), options, fc.string(), fc.boolean(), (value, stream_options, model, isFirst) => {
        const rest = { metadata: value, stream: true, ...(stream_options === null ? {} : { stream_options }) };
        const sent = isFirst ? { model: 'm', ...rest } : { ...rest, model: 'm' };
        expect(JSON.parse(bodyText(sent, model))).toEqual({
          ...(JSON.parse(JSON.stringify(sent)) as object),
          model,
          stream_options: { ...stream_options, include_usage: true },
        });
      }),
      { seed, numRuns: 200 * effort },
    );
  });
});

describe('streams of chat completions', () => {
  it('pass unchanged to a client that asked for the usage, for all chunks and line ends', () => {
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n', '\r'), sizesOf, fc.boolean(), (lineEnd, sizes, hasMark) => {
        const stream = Buffer.concat([Buffer.from(hasMark ? '\ufeff' : ''), encodeFrames(usageData, lineEnd)]);
        const { text, report } = readResponse(chatCompletions, asking, stream, sizes);
        expect(text).toBe(stream.toString());
        expect(report).toMatchObject({ usage: JSON.parse(USAGE), isComplete: true, finishReasons: ['stop'] });
      }),
      { seed, numRuns: 200 * effort },
    );
  });

  it('lose exactly the usage for a client that did not ask, for all chunks and line ends', () => {
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n', '\r'), sizesOf, (lineEnd, sizes) => {
        const { text, report } = readResponse(chatCompletions, silent, encodeFrames(usageData, lineEnd), sizes);
        expect(text).toBe(encodeFrames(plainData, lineEnd).toString());
        expect(report).toMatchObject({ usage: JSON.parse(USAGE), isComplete: true });
      }),
      { seed, numRuns: 200 * effort },
    );
  });

  it('report model, id and the bytes of the text', () => {
    const { report } = readResponse(chatCompletions, silent, encodeFrames(usageData));
    const texts = ['assistant', 'Grüße, \\"usage\\":null 🎉', 'call_1', 'function', 'f', '{\\"error\\":'];
    expect(report).toMatchObject({
      model: 'gpt-5.4-2026-03-05',
      responseId: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
      outputBytes: Buffer.byteLength(texts.join('')),
    });
  });

  it('report the last usage and keep chunks with choices', () => {
    const stream = encodeFrames(usageOnEachChunk);
    const { text, report } = readResponse(chatCompletions, silent, stream);
    expect(text).toBe(stream.toString());
    expect(report).toMatchObject({ usage: { completion_tokens: 3 }, isComplete: true });
  });

  it('ignore a usage that cannot be charged', () => {
    const many = JSON.stringify({ prompt_tokens: 1, x: new Array(1_000).fill(1) });
    const usages = ['{"prompt_tokens":-1}', '{"total_tokens":1}', '{"prompt_tokens":"7"}', many];
    const end = [...usages.map((usage) => `{"choices":[],"usage":${usage}}`), '[DONE]'];
    const { report } = readResponse(chatCompletions, asking, encodeFrames([...usageData.slice(0, -1), ...end]));
    expect(report.usage).toEqual(JSON.parse(USAGE));
  });

  it('are not complete without a finish reason and a terminal frame', () => {
    const { report } = readResponse(chatCompletions, silent, encodeFrames(usageData.slice(0, 2)));
    expect(report.isComplete).toBe(false);
    expect(report.usage).toBeUndefined();
  });

  it('pass at once when chunks end with events', () => {
    const reader = chatCompletions.createReader(silent);
    for (const lineEnd of ['\n', '\r\n', '\r'])
      for (const data of plainData) {
        const frame = encodeFrames([data], lineEnd);
        expect(reader.push(frame)).toBe(frame);
      }
  });

  it('pass a comment and an event without its blank line', () => {
    const comments = ': OPENROUTER PROCESSING\n\n'.repeat(20);
    const stream = Buffer.from(`${comments}data: ${usageData[1]}\n\n\n\ndata: [DONE]\n`);
    const { text, report } = readResponse(chatCompletions, silent, stream, [3]);
    expect(text).toBe(stream.toString().replace(',"usage":null', ''));
    expect(report).toMatchObject({ isComplete: true, model: 'gpt-5.4-2026-03-05' });
  });

  it('keep a usage that is not the one of the chunk', () => {
    const data = ['{"x":{"usage":null},"choices":[]}', '{"usage":null}', '{"usage" : null , "choices":[]}'];
    const { text } = readResponse(chatCompletions, silent, encodeFrames(data));
    expect(text).toBe(encodeFrames([data[0]!, '{}', '{ "choices":[]}']).toString());
  });

  it('pass an event of many lines, whose usage is not read', () => {
    const lines = [`data: {"choices":[],`, ...new Array<string>(2_000).fill('data:'), `data: "usage":${USAGE}}`];
    const stream = Buffer.from(`${lines.join('\n')}\n\n`);
    const { text, report } = readResponse(chatCompletions, silent, stream);
    expect(text).toBe(stream.toString());
    expect(report.usage).toBeUndefined();
    const short = readResponse(
      chatCompletions,
      silent,
      Buffer.from(`${[...lines.slice(0, 9), lines.at(-1)].join('\n')}\n\n`),
    );
    expect(short.report.usage).toEqual(JSON.parse(USAGE));
    expect(short.text).toBe('');
  });

  it('report an error that the provider sends after the status', () => {
    const stream = encodeFrames(['{"error":{"message":"The server had an error","type":"server_error"}}']);
    const { report } = readResponse(chatCompletions, silent, stream);
    expect(report).toMatchObject({ failure: 'server_error', isComplete: false });
  });

  it('throw nothing and lose nothing for garbage', () => {
    const garbage = fc.array(
      fc.oneof(
        fc.uint8Array(),
        fc
          .constantFrom(
            'data: ',
            '\n',
            '\r',
            '\n\n',
            '"usage"',
            ':null',
            '"error":',
            '{',
            '}',
            ',',
            '"delta":{',
            '[DONE]',
            '\\',
          )
          .map((text) => Buffer.from(text)),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(garbage, sizesOf, (parts, sizes) => {
        const stream = Buffer.concat(parts);
        expect(readResponse(chatCompletions, asking, stream, sizes).text).toBe(stream.toString());
        const whole = readResponse(chatCompletions, silent, stream);
        const split = readResponse(chatCompletions, silent, stream, sizes);
        expect(split.text).toBe(whole.text);
        expect({ ...split.report }).toEqual({ ...whole.report });
      }),
      { seed, numRuns: 500 * effort },
    );
  });

  it('are refused when one event is too large', () => {
    const reader = chatCompletions.createReader(silent);
    const chunk = Buffer.from(`data: ${'x'.repeat(1024 * 1024)}`);
    expect(() => {
      for (let at = 0; at < 20; at += 1) reader.push(chunk);
    }).toThrow(expect.objectContaining({ failure: 'provider_error' }));
  });
});

describe('documents of chat completions', () => {
  const request = read({ model: 'gpt-5', messages });
  const document = (content: string, usage = `,"usage":${USAGE}`) =>
    Buffer.from(
      `{"id":"chatcmpl-1","object":"chat.completion","model":"gpt-5-2026","choices":[{"index":0,"message":{"role":"assistant","content":"${content}"},"finish_reason":"stop"}]${usage},"service_tier":"default"}`,
    );

  it.each([10, 1_000_000])('pass unchanged and report their usage, with %d bytes of text', (size) => {
    const bytes = document('x\\"usage\\":{}'.padEnd(size, 'y'));
    const { text, report } = readResponse(chatCompletions, request, bytes, [1_000, 1, 70_000]);
    expect(text).toBe(bytes.toString());
    expect(report).toMatchObject({ usage: JSON.parse(USAGE), isComplete: true });
  });

  it('count the text of an answer without usage', () => {
    const { report } = readResponse(chatCompletions, request, document('x'.repeat(100), ''));
    expect(report.usage).toBeUndefined();
    expect(report.outputBytes).toBeGreaterThan(100);
    expect(report.outputBytes).toBeLessThan(250);
  });

  it('are read at their end when they have too many values', () => {
    const bytes = document('x', `,"x":[${'{},'.repeat(60_000)}1],"usage":${USAGE}`);
    expect(readResponse(chatCompletions, request, bytes).report.usage).toEqual(JSON.parse(USAGE));
  });

  it('are not complete when they are cut', () => {
    const { report } = readResponse(chatCompletions, request, document('x').subarray(0, 100));
    expect(report).toMatchObject({ isComplete: false, outputBytes: 100 });
  });

  it('answer a stream request, if the content type says so', () => {
    const reader = chatCompletions.createReader(silent, 'application/json; charset=utf-8');
    reader.push(document('x'));
    reader.end();
    expect(reader.report.usage).toEqual(JSON.parse(USAGE));
  });
});
