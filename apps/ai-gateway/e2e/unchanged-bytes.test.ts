import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { MeteredWorld } from './support/metered-world.ts';
import { nameRequest, readEnded, SDK_MODELS, type VendorRecord } from './support/sdk-target.ts';

/** Requests whose answers pass through the gateway, by the form of the answer. */
const REQUESTS: Readonly<Record<string, (text: string) => { path: string; body: object }>> = {
  'a chat completion': (text) => ({ path: '/v1/chat/completions', body: createChat(text) }),
  'the chunks of a chat completion with usage': (text) => ({
    path: '/v1/chat/completions',
    body: { ...createChat(text), stream: true, stream_options: { include_usage: true } },
  }),
  'a response': (text) => ({ path: '/v1/responses', body: { model: SDK_MODELS.openai, input: text } }),
  'the events of a response': (text) => ({
    path: '/v1/responses',
    body: { model: SDK_MODELS.openai, input: text, stream: true },
  }),
  'a message': (text) => ({ path: '/v1/messages', body: createMessage(text) }),
  'the events of a message': (text) => ({ path: '/v1/messages', body: { ...createMessage(text), stream: true } }),
  'the content of Google': (text) => createContent(text, 'generateContent'),
  'the events of content': (text) => createContent(text, 'streamGenerateContent?alt=sse'),
  'the array of content': (text) => createContent(text, 'streamGenerateContent'),
};

/** The ways in which a vendor or a server like it may write its answer. */
const FORMS = [
  'chunks=300',
  'split=7',
  'crlf=1',
  'crlf=0',
  'comments=1',
  'fault=invalid_utf8:1',
  'huge=1100000',
  'usage=none',
  'usage=every',
  'usage=finish',
  'usage=separate',
  'tier=priority served=another-model',
  'cached=3 cache_write=2 input=100 reasoning=7 output=60 web_search=2',
];

const createChat = (content: string) => ({ model: SDK_MODELS.openai, messages: [{ role: 'user', content }] });
const createMessage = (content: string) => ({
  model: SDK_MODELS.anthropic,
  max_tokens: 500,
  messages: [{ role: 'user', content }],
});
const createContent = (text: string, verb: string) => ({
  path: `/v1beta/models/${SDK_MODELS.google}:${verb}`,
  body: { contents: [{ role: 'user', parts: [{ text }] }] },
});

describe('the answers that pass through the gateway', () => {
  let world: MeteredWorld;
  beforeAll(async () => {
    world = await MeteredWorld.open();
  }, 120_000);
  afterAll(() => world.close());

  /** Calls a model, and returns the bytes of the client and the record of the vendor. */
  const call = async (create: (text: string) => { path: string; body: object }, directives: string) => {
    const name = nameRequest();
    const { path, body } = create(`héllo 世界 🙂 [[sim: name=${name} ${directives}]]`);
    const headers = {
      authorization: `Bearer ${world.key}`,
      'content-type': 'application/json',
      'anthropic-version': '2026-10-21',
    };
    const url = `${world.gateways[0]!.url}${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const bytes = Buffer.from(await response.arrayBuffer());
    const [record] = await readEnded({ readLog: () => world.vendors.readLog() }, name);
    return { status: response.status, bytes, record: record as VendorRecord };
  };

  it.each(Object.entries(REQUESTS))('are those of the vendor: %s', async (_, create) => {
    for (const form of FORMS) {
      const { status, bytes, record } = await call(create, form);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect([form, status, sha256]).toEqual([form, 200, record.sha256]);
    }
  });

  it('lack only the usage that the gateway asked for itself', async () => {
    const stream = (text: string) => ({ path: '/v1/chat/completions', body: { ...createChat(text), stream: true } });
    const { bytes, record } = await call(stream, 'chunks=20');
    expect(record.sentUsage).toMatchObject({ completion_tokens: 20 });
    const text = bytes.toString();
    expect([text.includes('usage'), text.match(/^data: /gm)?.length]).toEqual([false, record.frames - 1]);
  });
});
