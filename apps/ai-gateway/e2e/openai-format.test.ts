import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ModelVendors, VENDOR_KEYS, startModelVendors } from '@gatehouse/testing/model-vendors';
import { randomUUID } from 'node:crypto';
import { chatCompletions } from '../src/formats/openai/chat-completions.ts';
import { embeddings } from '../src/formats/openai/embeddings.ts';
import { responses } from '../src/formats/openai/responses.ts';
import type { JsonObject } from '../src/formats/model-request.ts';
import type { ModelOperation } from '../src/formats/operation.ts';

let vendors: ModelVendors;
beforeAll(async () => {
  vendors = await startModelVendors();
});
afterAll(() => vendors.close());

const send = (path: string, body: Uint8Array | string, name: string) =>
  fetch(`${vendors.urls.openai}/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${VENDOR_KEYS.openai}`,
      'x-sim-name': name,
    },
    body: Buffer.from(body),
  });

/** Sends a request as the gateway does, and reads the response. */
async function exchange(operation: ModelOperation, body: JsonObject) {
  const bytes = Buffer.from(JSON.stringify(body));
  const request = operation.readRequest({ bytes, body, query: new URLSearchParams() });
  const name = randomUUID();
  const response = await send(
    operation.createPath(request, request.model),
    operation.createBody(request, request.model),
    name,
  );
  const reader = operation.createReader(request, response.headers.get('content-type') ?? undefined);
  const [sent, received]: [Uint8Array[], Uint8Array[]] = [[], []];
  for await (const chunk of response.body ?? []) {
    sent.push(chunk);
    received.push(reader.push(chunk) ?? new Uint8Array());
  }
  received.push(reader.end() ?? new Uint8Array());
  const record = (await vendors.readLog()).find((one) => one.name === name);
  const [sentText, text] = [Buffer.concat(sent).toString('latin1'), Buffer.concat(received).toString('latin1')];
  return { sentText, text, report: reader.report, record };
}

/** Removes what differs between two equal requests. Comments are written for each frame. */
const normalize = (text: string) => text.replaceAll(/chatcmpl-\w+|"created":\d+|: still there\s+/g, '');

const DIRECTIVES = [
  '',
  'chunks=50 cached=3 reasoning=2 input=100 output=60',
  'crlf=1',
  'comments=1',
  'split=1 chunks=3',
  'split=7 crlf=1 comments=1',
  'usage=every',
  'usage=finish crlf=1',
  'usage=none',
  'huge=1100000',
  'fault=invalid_utf8:2 split=5',
];

describe('a chat completion through the reader', () => {
  const create = (directives: string, rest: object = {}) => ({
    model: 'gpt-5.4',
    stream: true,
    messages: [{ role: 'user', content: `Grüße, "usage": null 🙂 [[sim: ${directives}]]` }],
    ...rest,
  });

  it.each(DIRECTIVES)('is the stream that the client asked for, without usage: %s', async (directives) => {
    const body = create(directives);
    const direct = Buffer.from(await (await send('/chat/completions', JSON.stringify(body), 'direct')).arrayBuffer());
    const { text, report, record } = await exchange(chatCompletions, body);
    expect(normalize(text)).toBe(normalize(direct.toString('latin1')));
    expect(report.isComplete).toBe(true);
    expect(report.usage).toEqual(directives.includes('usage=none') ? undefined : record?.usage);
  });

  it.each(DIRECTIVES)('has the bytes of the provider, with usage: %s', async (directives) => {
    const { sentText, text, report, record } = await exchange(
      chatCompletions,
      create(directives, { stream_options: { include_usage: true } }),
    );
    expect(text).toBe(sentText);
    expect(report.usage).toEqual(record?.sentUsage);
  });

  it('never passes the extra chunk of a server that always sends it', async () => {
    const { text, sentText, report, record } = await exchange(chatCompletions, create('usage=separate'));
    expect(sentText).toContain('"choices":[]');
    expect(text).not.toContain('"choices":[]');
    expect(report.usage).toEqual(record?.usage);
  });

  it('is not complete after a cut, and counts its text', async () => {
    const { report } = await exchange(chatCompletions, create('chunks=20 fault=truncate:8'));
    expect(report).toMatchObject({ isComplete: false });
    expect(report.usage).toBeUndefined();
    expect(report.outputBytes).toBeGreaterThan(20);
  });

  it('is a document without a stream', async () => {
    const { text, sentText, report, record } = await exchange(chatCompletions, create('cached=2', { stream: false }));
    expect(text).toBe(sentText);
    expect(report).toMatchObject({ usage: record?.usage, isComplete: true });
  });
});

describe('a response through the reader', () => {
  it.each(['', 'crlf=1 comments=1', 'split=3', 'web_search=2', 'output=50 reasoning=20'])(
    'has bytes and usage of the provider: %s',
    async (directives) => {
      for (const stream of [true, false]) {
        const tools = [{ type: 'web_search' }];
        const body = { model: 'gpt-5.4', stream, tools, input: `Hello [[sim: ${directives}]]` };
        const { text, sentText, report, record } = await exchange(responses, body);
        expect(text).toBe(sentText);
        expect(report).toMatchObject({ usage: record?.usage as object, isComplete: true });
        expect(report.usage?.['tool_calls']).toEqual(
          directives.includes('web_search') ? { web_search: 2, file_search: 0 } : undefined,
        );
      }
    },
  );
});

describe('embeddings through the reader', () => {
  it('have bytes and usage of the provider', async () => {
    const body = { model: 'text-embedding-3-small', input: ['one', 'two'] };
    const { text, sentText, report, record } = await exchange(embeddings, body);
    expect(text).toBe(sentText);
    expect(report).toMatchObject({ usage: record?.usage, isComplete: true, outputBytes: 0 });
  });
});
