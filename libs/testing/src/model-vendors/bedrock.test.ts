import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BEDROCK_API_KEY } from './bedrock-request.ts';
import { type ModelVendors, startModelVendors } from './model-vendors.ts';

let vendors: ModelVendors;
beforeAll(async () => {
  vendors = await startModelVendors();
});
afterAll(() => vendors.close());

const MODEL = '/model/anthropic.claude-sonnet-5-5-v1%3A0';
const message = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hello' }],
};

async function send(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${vendors.urls.bedrock}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${BEDROCK_API_KEY}`, ...headers },
    body: JSON.stringify(body),
  });
  const code = response.headers.get('x-amzn-errortype')?.split(':')[0];
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, code, type: response.headers.get('content-type'), bytes };
}

describe('the simulator of Bedrock', () => {
  it.each([
    ['a model in the body', `${MODEL}/invoke`, { ...message, model: 'm' }, 'ValidationException'],
    ['a stream in the body', `${MODEL}/invoke`, { ...message, stream: true }, 'ValidationException'],
    ['another version', `${MODEL}/invoke`, { ...message, anthropic_version: '2023-06-01' }, 'ValidationException'],
    ['an unknown beta', `${MODEL}/invoke`, { ...message, anthropic_beta: ['new'] }, 'ValidationException'],
    ['betas as a text', `${MODEL}/invoke`, { ...message, anthropic_beta: 'new' }, 'ValidationException'],
    ['an unknown member', `${MODEL}/invoke`, { ...message, foo: 1 }, 'ValidationException'],
    ['an unknown model', '/model/claude/invoke', message, 'ValidationException'],
    [
      'a model with an encoded letter',
      `${MODEL.replace('claude', '%63laude')}/invoke`,
      message,
      'UnknownOperationException',
    ],
    ['a count without a body', `${MODEL}/count-tokens`, message, 'ValidationException'],
  ])('refuses %s', async (_, path, body, code) => {
    expect(await send(path, body)).toMatchObject({ status: expect.any(Number), code });
  });

  it.each([
    ['no credential', { authorization: '' }, 'MissingAuthenticationTokenException'],
    ['an unknown API key', { authorization: 'Bearer a' }, 'AccessDeniedException'],
    ['another form of a signature', { authorization: 'AWS4-HMAC-SHA256 a' }, 'InvalidSignatureException'],
    ['a key of a vendor', { 'x-api-key': 'a' }, 'UnrecognizedClientException'],
  ])('refuses %s', async (_, headers, code) => {
    expect(await send(`${MODEL}/invoke`, message, headers)).toMatchObject({ status: 403, code });
  });

  it('counts the tokens of a request that InvokeModel accepts', async () => {
    const body = Buffer.from(JSON.stringify(message)).toString('base64');
    const { bytes } = await send(`${MODEL}/count-tokens`, { input: { invokeModel: { body } } });
    expect(JSON.parse(bytes.toString())).toEqual({ inputTokens: 2 });
  });

  it('writes frames of an Amazon event stream', async () => {
    const { type, bytes } = await send(`${MODEL}/invoke-with-response-stream`, message);
    expect([type, bytes.readUInt32BE(0) < bytes.length]).toEqual(['application/vnd.amazon.eventstream', true]);
    expect(bytes.toString('latin1')).toContain(':event-type');
  });
});
