import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import { TextRedaction } from '@gatehouse/content-controls/text-redaction';
import fc from 'fast-check';
import type { PassedCall, WholeAnswer } from '../exchange/call-pass.ts';
import type { JsonObject } from '../formats/model-request.ts';
import { caller, chat } from '../telemetry/attempt.fixture.ts';
import { AnswerRedactionPass, RequestRedactionPass } from './redaction-pass.ts';

const SECRET = 'AKIA1234';
const redaction = new TextRedaction(['AKIA[0-9]{4}']);
const call: PassedCall = {
  signal: new AbortController().signal,
  interactionId: '0199-1',
  context: undefined,
  operation: chat,
  principal: caller,
  model: 'gpt-5',
};

describe('RequestRedactionPass', () => {
  const redact = (body: JsonObject) => new RequestRedactionPass(redaction).handleRequest(structuredClone(body), call);

  it.each([
    ['a text of OpenAI', { messages: [{ role: 'user', content: `key ${SECRET}` }] }],
    ['a part of OpenAI', { messages: [{ role: 'user', content: [{ type: 'text', text: SECRET }] }] }],
    ['a tool result of OpenAI', { messages: [{ role: 'tool', tool_call_id: 'c', content: SECRET }] }],
    [
      'the arguments of a tool call of OpenAI',
      { messages: [{ tool_calls: [{ id: 'c', function: { name: 'f', arguments: `{"a":"${SECRET}"}` } }] }] },
    ],
    ['the instructions of the Responses API', { instructions: SECRET, input: 'x' }],
    ['an input text of the Responses API', { input: SECRET }],
    ['an input item of the Responses API', { input: [{ type: 'function_call_output', call_id: 'c', output: SECRET }] }],
    ['an input of embeddings', { input: ['x', SECRET] }],
    ['a system text of Anthropic', { system: SECRET, messages: [] }],
    ['a system block of Anthropic', { system: [{ type: 'text', text: SECRET }] }],
    ['a tool result of Anthropic', { messages: [{ content: [{ type: 'tool_result', content: SECRET }] }] }],
    ['the input of a tool of Anthropic', { messages: [{ content: [{ type: 'tool_use', input: { name: SECRET } }] }] }],
    [
      'a plain document of Anthropic',
      {
        messages: [
          { content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: SECRET } }] },
        ],
      },
    ],
    ['a part of Google', { contents: [{ role: 'user', parts: [{ text: SECRET }] }] }],
    ['the system instruction of Google', { systemInstruction: { parts: [{ text: SECRET }] } }],
    [
      'the arguments of a function of Google',
      { contents: [{ parts: [{ functionCall: { name: 'f', args: { id: SECRET } } }] }] },
    ],
    [
      'the result of a function of Google',
      { contents: [{ parts: [{ functionResponse: { name: 'f', response: { type: SECRET } } }] }] },
    ],
    ['a member that no vendor has yet', { messages: [{ novel: { deep: [SECRET] } }] }],
    ['a member with the name __proto__', JSON.parse(`{"messages":[{"__proto__":"${SECRET}"}]}`) as JsonObject],
  ])('redacts %s', async (_name, body) => {
    const redacted = JSON.stringify(await redact(body));
    expect(redacted).not.toContain(SECRET);
    expect(redacted).toContain('[redacted]');
  });

  it('keeps names of the protocol and encoded files', async () => {
    const body = {
      model: SECRET,
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ id: SECRET, type: 'function', function: { name: SECRET, arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: SECRET, content: 'x' },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${SECRET}` } }] },
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: SECRET } }],
        },
      ],
    };
    expect(await redact(body)).toEqual(body);
  });

  it('redacts each text of any JSON', async () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constant(SECRET),
      fc.string().map((text) => text + SECRET),
    );
    const names = fc.string().filter((name) => !/^(?:__proto__)$/.test(name));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        texts,
        fc.integer(),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (content) => {
        const redacted = await redact({ messages: [{ content: { input: { content } } }] });
        expect(JSON.stringify(redacted)).not.toContain(SECRET);
      }),
      { numRuns: 100 * effort },
    );
  });

  it('refuses a request whose patterns cannot be used', async () => {
    const pass = new RequestRedactionPass(new TextRedaction(['(']));
    await expect(pass.handleRequest({ messages: [] }, call)).rejects.toMatchObject({
      failure: 'unavailable',
      reason: 'redaction_failed',
    });
  });
});

describe('AnswerRedactionPass', () => {
  const EVENTS = 'text/event-stream; charset=utf-8';
  const redact = async (contentType: string, text: string): Promise<string> => {
    const answer: WholeAnswer = { contentType, bytes: Buffer.from(text) };
    return Buffer.from((await new AnswerRedactionPass(redaction).handleAnswer(answer, call)).bytes).toString();
  };
  const writeEvents = (chunks: readonly object[], name?: string) =>
    chunks.map((chunk) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(chunk)}\n\n`).join('');

  it('redacts a document', async () => {
    const document = {
      id: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: `your key is ${SECRET}` } }],
    };
    expect(JSON.parse(await redact('application/json', JSON.stringify(document)))).toEqual({
      id: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: 'your key is [redacted]' } }],
    });
  });

  it('returns an answer without a match unchanged', async () => {
    const text = '{ "choices" : [ ] , "seed": 12345678901234567890 }';
    expect(await redact('application/json', text)).toBe(text);
    const stream = ': comment\r\ndata: {"a":"b"}\r\n\r\ndata: [DONE]\r\n\r\n';
    expect(await redact(EVENTS, stream)).toBe(stream);
  });

  const openai = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
  const anthropic = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  const google = (text: string) => ({ candidates: [{ index: 0, content: { parts: [{ text }] } }] });
  const responses = (delta: string) => ({
    type: 'response.output_text.delta',
    item_id: 'm',
    output_index: 0,
    content_index: 0,
    delta,
  });
  const vendors = [
    ['OpenAI', openai],
    ['Anthropic', anthropic],
    ['Google', google],
    ['the Responses API', responses],
  ] as const;

  it.each(vendors)('finds a passage that the events of a stream of %s divide anywhere', async (_name, create) => {
    const text = `your key is ${SECRET}, keep it`;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...cuts.sort((one, other) => one - other), text.length];
        const pieces = at.slice(1).map((end, position) => text.slice(at[position], end));
        const redacted = await redact(EVENTS, writeEvents(pieces.map((piece) => create(piece))));
        const read = [...redacted.matchAll(/"(?:content|text|delta)":"([^"]*)"/g)].map(([, piece]) => piece);
        expect(read.join('')).toBe('your key is [redacted], keep it');
      }),
      { numRuns: 50 * effort },
    );
  });

  it('finds a passage that the chunks of a JSON array divide', async () => {
    const chunks = [google('AKIA'), google('1234')];
    expect(JSON.parse(await redact('application/json', JSON.stringify(chunks)))).toEqual([
      google('[redacted]'),
      google(''),
    ]);
  });

  it('does not join the texts of different answers', async () => {
    const chunk = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
    const stream = writeEvents([chunk(0, 'AKIA'), chunk(1, '1234')]);
    expect(await redact(EVENTS, stream)).toBe(stream);
  });

  it('keeps the names of events and the end of the stream', async () => {
    const stream = `${writeEvents([anthropic(SECRET)], 'content_block_delta')}data: [DONE]\n\n`;
    const redacted = await redact(EVENTS, stream);
    expect(redacted).toMatch(/^event: content_block_delta\ndata: \{.*\[redacted\].*\}\n\ndata: \[DONE\]\n\n$/);
  });

  it.each([
    ['application/json', `garbage ${SECRET}`],
    ['application/json', `"${SECRET}"`],
    ['application/json', `["${SECRET}"]`],
    [EVENTS, `data: garbage ${SECRET}\n\n`],
    [EVENTS, `data: {"text":"${SECRET}`],
  ])('withholds an answer of %s that it cannot examine: %s', async (contentType, text) => {
    await expect(redact(contentType, text)).rejects.toMatchObject({ failure: 'denied', reason: 'redaction_failed' });
  });
});
