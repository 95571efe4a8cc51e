import { describe, expect, it } from '@jest/globals';
import type { ModelOperation } from './operation.ts';
import { SERVED_FORMATS } from './served-formats.ts';

const { byPath, byVerb } = SERVED_FORMATS;
const chat = byPath.get('/v1/chat/completions')!;
const responses = byPath.get('/v1/responses')!;
const messages = byPath.get('/v1/messages')!;
const generate = byVerb.get('generateContent')!;
const stream = byVerb.get('streamGenerateContent')!;

function read(operation: ModelOperation, text: string) {
  const body = JSON.parse(text) as Record<string, unknown>;
  return operation.readRequest({ bytes: Buffer.from(text), body, pathModel: 'm', query: new URLSearchParams() });
}
const write = (members: object) => JSON.stringify({ model: 'm', max_tokens: 5, messages: [], ...members });

describe('options that raise the price', () => {
  it.each([
    ['priority processing of chat completions', chat, { service_tier: 'priority' }, 'service_tier'],
    ['priority processing of responses', responses, { service_tier: 'PRIORITY' }, 'service_tier'],
    ['a tier that is no text', chat, { service_tier: ['default'] }, 'service_tier'],
    ['fast mode of messages', messages, { speed: 'fast' }, 'speed'],
    ['a region of messages', messages, { inference_geo: 'us' }, 'inference_geo'],
    ['priority inference of Gemini', generate, { serviceTier: 'priority' }, 'serviceTier'],
    ['priority inference in the other spelling', stream, { service_tier: 'priority' }, 'service_tier'],
  ])('are refused, because no price covers them: %s', (_, operation, members, field) => {
    expect(() => read(operation, write(members))).toThrow(
      expect.objectContaining({ failure: 'invalid_request', field }),
    );
  });

  it.each([
    [chat, { service_tier: 'auto' }],
    [chat, { service_tier: 'flex' }],
    [chat, { service_tier: null }],
    [messages, { speed: 'standard', inference_geo: 'global', service_tier: 'standard_only' }],
    [generate, { serviceTier: 'FLEX' }],
  ])('pass where they cost no more: %#', (operation, members) => {
    expect(read(operation, write(members)).model).toBe('m');
  });

  it('are refused twice in one request, because the provider could read the other one', () => {
    const text = '{"model":"m","messages":[],"service_tier":"priority","service_tier":"auto"}';
    expect(() => read(chat, text)).toThrow(/service_tier/);
  });
});
