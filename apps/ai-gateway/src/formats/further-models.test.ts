import { describe, expect, it } from '@jest/globals';
import type { ModelOperation } from './operation.ts';
import { SERVED_FORMATS } from './served-formats.ts';

const { byPath, byVerb } = SERVED_FORMATS;
const chat = byPath.get('/v1/chat/completions')!;
const responses = byPath.get('/v1/responses')!;
const messages = byPath.get('/v1/messages')!;
const generate = byVerb.get('generateContent')!;

function read(operation: ModelOperation, text: string) {
  const body = JSON.parse(text) as Record<string, unknown>;
  return operation.readRequest({ bytes: Buffer.from(text), body, pathModel: 'm', query: new URLSearchParams() });
}
const write = (members: object) => JSON.stringify({ model: 'm', max_tokens: 5, ...members });
const ADVISOR = { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' };

describe('a request that lets the provider use a further model', () => {
  it.each([
    ['fallbacks of Anthropic', messages, { fallbacks: [{ model: 'claude-opus-5' }] }, 'fallbacks'],
    ['the default fallbacks of Anthropic', messages, { fallbacks: 'default' }, 'fallbacks'],
    ['the advisor of Anthropic', messages, { tools: [{ name: 'f', input_schema: {} }, ADVISOR] }, 'tools'],
    [
      'an advisor that a message adds',
      messages,
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition: ADVISOR } }],
          },
        ],
      },
      'tools',
    ],
    ['models of a router', chat, { models: ['o1-pro'] }, 'models'],
    ['images of OpenAI', responses, { input: 'x', tools: [{ type: 'image_generation' }] }, 'tools'],
    [
      'the routing of Vertex AI',
      generate,
      { generation_config: { routing_config: { manualMode: { modelName: 'x' } } } },
      'generationConfig.routing_config',
    ],
  ])('is refused: %s', (_, operation, members, field) => {
    expect(() => read(operation, write(members))).toThrow(
      expect.objectContaining({ failure: 'invalid_request', field, reason: 'further_model' }),
    );
  });

  it('is refused in words by which Claude Code sends it again without the member', () => {
    expect(() => read(messages, write({ fallbacks: [{ model: 'x' }] }))).toThrow(
      /does not support the `fallbacks` parameter/,
    );
  });

  it('is refused if a member occurs twice, because the provider could read the other one', () => {
    const text = '{"model":"m","max_tokens":5,"tools":[{"type":"advisor_20260301"}],"tools":[]}';
    expect(() => read(messages, text)).toThrow("contains 'tools' twice");
  });

  it.each([
    [messages, { tools: [{ type: 'web_search_20250305', name: 'web_search' }], fallbacks: null }],
    [responses, { input: 'x', tools: [{ type: 'web_search' }, { type: 'function', name: 'advisor' }] }],
    [generate, { generationConfig: { temperature: 1 } }],
  ])('passes without one: %#', (operation, members) => {
    expect(read(operation, write(members)).model).toBe('m');
  });
});
