import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { countMessageTokens } from '../../../formats/anthropic/count-tokens.ts';
import { messages } from '../../../formats/anthropic/messages.ts';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import type { ModelOperation } from '../../../formats/operation.ts';
import { createReceived } from '../../../formats/read-response.fixture.ts';
import type { PlatformRequest } from '../provider-platform.ts';
import { GoogleTokens } from './google-tokens.ts';
import { VertexModels } from './vertex-models.ts';

const PREFIX = '/v1/projects/my-project/locations/global/publishers/anthropic/models/';
const tokens = new GoogleTokens({ allowLoopback: false, log: { warn: () => undefined } });
const platform = new VertexModels({ project: 'my-project', location: 'global' }, tokens);
const REQUEST = { model: 'claude', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] };

interface Sent {
  readonly body?: unknown;
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a request of a provider without a credential. */
const create = (
  operation: ModelOperation,
  { body = REQUEST, model = 'claude-sonnet-4-5@20250929', headers }: Sent = {},
) =>
  platform.createRequest({
    provider: { name: 'p', kind: 'anthropic', endpoint: 'https://aiplatform.googleapis.com' },
    operation,
    request: operation.readRequest(createReceived(body, 'beta=true')),
    model,
    headers: { 'anthropic-version': '2023-06-01', ...headers },
    credential: undefined,
    attemptId: 'call-1',
  }) as PlatformRequest;
const readBody = (request: PlatformRequest) => JSON.parse(Buffer.from(request.body).toString()) as object;

describe('a request to a model of Anthropic on Vertex AI', () => {
  it.each([
    [messages, REQUEST, 'claude-sonnet-4-5@20250929:rawPredict'],
    [messages, { ...REQUEST, stream: true }, 'claude-sonnet-4-5@20250929:streamRawPredict'],
    [countMessageTokens, REQUEST, 'count-tokens:rawPredict'],
  ])('has the path of its method', (operation, body, path) => {
    expect(create(operation, { body }).path).toBe(PREFIX + path);
  });

  it('has the version in its body, and the model only to count tokens', () => {
    const { model: _, ...rest } = REQUEST;
    const version = { anthropic_version: 'vertex-2023-10-16' };
    expect(readBody(create(messages))).toEqual({ ...version, ...rest });
    expect(readBody(create(countMessageTokens))).toEqual({
      ...version,
      ...rest,
      model: 'claude-sonnet-4-5@20250929',
    });
  });

  it('keeps betas in their header, and no version there', () => {
    const { headers } = create(messages, { headers: { 'anthropic-beta': 'a-2026-01-01,b', 'x-api-key': 'virtual' } });
    expect(headers).toMatchObject({ 'anthropic-beta': 'a-2026-01-01,b' });
    expect(JSON.stringify(headers)).not.toMatch(/anthropic-version|virtual/);
  });

  it('has the version that the client chose', () => {
    const create2026 = (version: string) => create(messages, { headers: { 'anthropic-version': version } });
    expect(readBody(create2026('2026-10-21'))).toMatchObject({ anthropic_version: '2026-10-21' });
    for (const version of ['latest', '2026-10-21","model":"x', ''])
      expect(() => create2026(version)).toThrow('anthropic-version: Send a date');
  });

  it('keeps all other members, wherever the model is', () => {
    const member = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3, noNullPrototype: true });
    const space = fc.constantFrom(undefined, 1, '\t');
    const hidden = { deep: { model: 'inner', anthropic_version: 'inner' }, text: '"model":"x",' };
    fc.assert(
      fc.property(member, member, space, (before, after, indent) => {
        const body = { ...before, model: 'claude', hidden, ...after };
        if (typeof body.model !== 'string' || body.model === '' || 'stream' in body || 'max_tokens' in body) return;
        const text = JSON.stringify(body, undefined, indent);
        const { model: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
        const sent = Buffer.from(create(messages, { body: text }).body).toString();
        expect(JSON.parse(sent)).toEqual({ anthropic_version: 'vertex-2023-10-16', ...rest });
      }),
      { seed, numRuns: 300 * effort },
    );
  });

  it('keeps the bytes of the other members', () => {
    const text = '{ "max_tokens" : 1e1,\n "model":"claude", "messages" :[{"role":"user", "content":"\\u0041"}] }';
    expect(Buffer.from(create(messages, { body: text }).body).toString()).toBe(
      '{ "anthropic_version":"vertex-2023-10-16","max_tokens" : 1e1, "messages" :[{"role":"user", "content":"\\u0041"}] }',
    );
  });

  it.each(['..', 'a/b', 'a:predict?', 'a%2fb', 'a;b', 'count-tokens:rawPredict#'])(
    'is refused for the name of a model %j, also when the path has another one',
    (model) => {
      for (const operation of [messages, countMessageTokens])
        expect(() => create(operation, { model })).toThrow(ModelCallError);
    },
  );
});
