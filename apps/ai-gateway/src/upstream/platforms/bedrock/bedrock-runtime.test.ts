import { describe, expect, it } from '@jest/globals';
import { findAwsFault } from '@gatehouse/testing/aws-signature';
import { countMessageTokens } from '../../../formats/anthropic/count-tokens.ts';
import { messages } from '../../../formats/anthropic/messages.ts';
import type { ModelOperation } from '../../../formats/operation.ts';
import { chatCompletions } from '../../../formats/openai/chat-completions.ts';
import { embeddings } from '../../../formats/openai/embeddings.ts';
import { responses } from '../../../formats/openai/responses.ts';
import type { PlatformRequest } from '../provider-platform.ts';
import { BedrockRuntime } from './bedrock-runtime.ts';

const platform = new BedrockRuntime({ region: 'eu-west-1' });
const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG', sessionToken: 'FwoGZXIvYXdz//8=' };
const MODEL = 'anthropic.claude-opus-5-5-v1:0';
const ARN = `arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.${MODEL}`;

interface Sent {
  readonly body?: string;
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential?: string | undefined;
  readonly query?: string;
  readonly pathPrefix?: string;
}

function create(
  operation: ModelOperation,
  { body = '{"model":"m","max_tokens":5,"messages":[]}', model = MODEL, headers = {}, query = '', ...more }: Sent = {},
): PlatformRequest | Promise<PlatformRequest> {
  const bytes = Buffer.from(body);
  const received = { bytes, body: JSON.parse(body) as Record<string, unknown>, query: new URLSearchParams(query) };
  return platform.createRequest({
    provider: {
      name: 'p',
      kind: operation.format,
      endpoint: 'https://bedrock-runtime.eu-west-1.amazonaws.com',
      ...(more.pathPrefix !== undefined && { pathPrefix: more.pathPrefix }),
    },
    operation,
    request: operation.readRequest(received),
    model,
    headers: { authorization: 'Bearer virtual', 'x-api-key': 'virtual', accept: 'text/event-stream', ...headers },
    credential: 'credential' in more ? more.credential : 'bedrock-api-key',
    attemptId: 'call-1',
  });
}

const readBody = async (request: PlatformRequest | Promise<PlatformRequest>) =>
  Buffer.from((await request).body).toString();

describe('a request to InvokeModel', () => {
  it('has the model in its path, encoded as one segment', async () => {
    expect((await create(messages)).path).toBe('/model/anthropic.claude-opus-5-5-v1%3A0/invoke');
    const body = '{"model":"m","stream":true}';
    expect((await create(messages, { body, model: ARN, query: 'beta=true' })).path).toBe(
      '/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A123456789012%3Ainference-profile%2Feu.anthropic.claude-opus-5-5-v1%3A0/invoke-with-response-stream',
    );
    expect((await create(messages, { pathPrefix: '/bedrock' })).path).toMatch('/bedrock/model/anthropic');
  });

  it.each(['..', '.', 'a/../b', 'a?b', 'a#b', 'a%2Fb', 'a b', '/a', 'ä', 'a\\b'])(
    'is refused for the model %j, which a client could name',
    (model) => {
      expect(() => create(messages, { model })).toThrow('does not exist at its provider');
    },
  );

  it.each([
    ['{"model":"m","max_tokens":5}', '{"anthropic_version":"bedrock-2023-05-31","max_tokens":5}'],
    ['{"model":"m"}', '{"anthropic_version":"bedrock-2023-05-31"}'],
    ['{"stream":true,"model":"m"}', '{"anthropic_version":"bedrock-2023-05-31"}'],
    [
      ' { "max_tokens" : 5.0 , "stream" : false ,\n"model":"m" , "a\\"b":"\\u00e4ä" } ',
      ' { "anthropic_version":"bedrock-2023-05-31","max_tokens" : 5.0   , "a\\"b":"\\u00e4ä" } ',
    ],
    ['{"a":1,"\\u006dodel":"m","b":2}', '{"anthropic_version":"bedrock-2023-05-31","a":1,"b":2}'],
    [
      '{"messages":[{"model":"x"}],"anthropic_version":"bedrock-x","model":"m"}',
      '{"anthropic_version":"bedrock-x","messages":[{"model":"x"}]}',
    ],
  ])('moves nothing but the members of the platform: %s', async (body, sent) => {
    expect(await readBody(create(messages, { body }))).toBe(sent);
  });

  it('has betas in its body, unless the client has written them there', async () => {
    const headers = { 'anthropic-beta': 'context-1m-2025-08-07, "x",,' };
    expect(await readBody(create(messages, { headers, body: '{"model":"m"}' }))).toBe(
      '{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["context-1m-2025-08-07","\\"x\\""]}',
    );
    const body = '{"model":"m","anthropic_beta":["own"]}';
    expect(await readBody(create(messages, { headers, body }))).toBe(
      '{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["own"]}',
    );
  });

  it('refuses members that occur twice', () => {
    const body = '{"model":"m","anthropic_version":"a","anthropic_version":"b"}';
    expect(() => create(messages, { body })).toThrow("'anthropic_version' twice");
  });

  it('has no header of the client', async () => {
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'b', 'x-amzn-bedrock-trace': 'ENABLED' };
    expect((await create(messages, { headers })).headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'gatehouse-ai-gateway',
      'x-client-request-id': 'call-1',
      authorization: 'Bearer bedrock-api-key',
    });
  });
});

describe('a request to CountTokens', () => {
  const readMessage = async (body: string) => {
    const sent = JSON.parse(await readBody(create(countMessageTokens, { body }))) as {
      input: { invokeModel: { body: string } };
    };
    return Buffer.from(sent.input.invokeModel.body, 'base64').toString();
  };

  it('holds a request that InvokeModel would accept', async () => {
    expect((await create(countMessageTokens)).path).toBe('/model/anthropic.claude-opus-5-5-v1%3A0/count-tokens');
    expect(await readMessage('{"model":"m","messages":[]}')).toBe(
      '{"anthropic_version":"bedrock-2023-05-31","max_tokens":1,"messages":[]}',
    );
    expect(await readMessage('{"model":"m","thinking":{"type":"enabled","budget_tokens":2048}}')).toContain(
      '"max_tokens":2049',
    );
  });
});

describe('a request to the compatible endpoint', () => {
  it('has the path of OpenAI and the name of the model in its body', async () => {
    const request = await create(chatCompletions, { body: '{"model":"m","messages":[]}', query: 'a=b' });
    expect([request.path, await readBody(request), request.headers['authorization']]).toEqual([
      '/openai/v1/chat/completions?a=b',
      `{"model":"${MODEL}","messages":[]}`,
      'Bearer bedrock-api-key',
    ]);
  });

  it('exists for chat completions only', () => {
    expect([chatCompletions, responses, embeddings, messages].map((one) => platform.serves(one))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

describe('a signed request', () => {
  const { sessionToken: _, ...permanent } = KEYS;

  it.each([
    ['permanent keys', permanent, messages, MODEL],
    ['temporary keys', KEYS, messages, ARN],
    ['keys on the compatible endpoint', KEYS, chatCompletions, 'openai.gpt-oss-120b-1:0'],
  ])('is valid for AWS: %s', async (_name, keys, operation, model) => {
    const body = '{"model":"m","messages":[{"role":"user","content":"世界"}]}';
    const options = { body, model, query: 'a=b%20c&d', credential: JSON.stringify(keys) };
    const { path, headers, ...request } = await create(operation, options);
    const sent = {
      method: 'POST',
      url: path,
      headers: { ...headers, host: 'bedrock-runtime.eu-west-1.amazonaws.com' },
      body: Buffer.from(request.body).toString(),
    };
    const scope = { region: 'eu-west-1', service: 'bedrock' };
    expect(findAwsFault(sent, scope, (id) => (id === keys.accessKeyId ? keys : undefined))).toBeUndefined();
    expect(JSON.stringify(headers)).not.toContain(keys.secretAccessKey);
  });

  it('is not made without a credential', () => {
    expect(() => create(messages, { credential: undefined })).toThrow('not configured completely');
  });
});
