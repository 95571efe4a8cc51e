import { describe, expect, it } from '@jest/globals';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { FoundModels } from '../find-operation.ts';
import type { ModelCallError } from '../model-call-error.ts';
import type { WireFormat } from '../operation.ts';
import { openAiErrors } from '../openai/errors.ts';
import { modelLists } from './model-lists.ts';

const backend = (provider: string) => ({ provider, weight: 1, priority: 0 });
const route = (model: string, provider: string, rest = {}) => ({
  match: { model },
  backends: [backend(provider)],
  ...rest,
});
const gateway = {
  metadata: { name: 'main', creationTimestamp: '2026-03-02T09:50:00Z' },
  spec: {
    providers: [
      { name: 'a', kind: 'anthropic', endpoint: 'https://a.test' },
      { name: 'g', kind: 'google', endpoint: 'https://g.test' },
      { name: 'o', kind: 'openai', endpoint: 'https://o.test' },
    ],
    routes: [
      route('claude-1', 'a', { displayName: 'Claude One', contextWindow: 200_000 }),
      route('claude-2', 'a'),
      route('claude-3', 'a'),
      route('gemini-1', 'g', { contextWindow: 1_000_000 }),
      route('gpt-1', 'o'),
    ],
    defaultRoute: { backends: [backend('o')] },
  },
} as unknown as AIGateway;
const ALL = ['claude-1', 'claude-2', 'claude-3', 'gemini-1', 'gpt-1', 'unlisted'];

const create = (format: WireFormat, query = '', model?: string, granted = ALL) => {
  const found: FoundModels = { kind: 'models', format, errors: openAiErrors, model, query: new URLSearchParams(query) };
  return modelLists.create(found, gateway, granted);
};
const failure = (...args: Parameters<typeof create>) => {
  try {
    create(...args);
  } catch (error) {
    const { failure: kind, field, message } = error as ModelCallError;
    return { kind, field, message };
  }
  return undefined;
};

describe('models in the format of OpenAI', () => {
  it('are all that the caller may use', () => {
    expect(create('openai', '', undefined, ['claude-2', 'unlisted'])).toEqual({
      object: 'list',
      data: [
        { id: 'claude-2', object: 'model', created: 1_772_445_000, owned_by: 'anthropic' },
        { id: 'unlisted', object: 'model', created: 1_772_445_000, owned_by: 'openai' },
      ],
    });
  });

  it('are read one by one', () => {
    expect(create('openai', '', 'gpt-1')).toMatchObject({ id: 'gpt-1', object: 'model' });
    expect(failure('openai', '', 'gpt-1', ['claude-1'])).toEqual({
      kind: 'not_found',
      field: 'model',
      message: 'The model `gpt-1` does not exist or you do not have access to it.',
    });
  });
});

describe('models in the format of Anthropic', () => {
  const ids = (query: string) => {
    const { data, ...rest } = create('anthropic', query) as { data: { id: string }[] };
    return { ids: data.map(({ id }) => id), ...rest };
  };

  it('have names and times', () => {
    expect(create('anthropic', '', 'claude-1')).toEqual({
      type: 'model',
      id: 'claude-1',
      display_name: 'Claude One',
      created_at: '2026-03-02T09:50:00Z',
      max_input_tokens: 200_000,
    });
    expect(failure('anthropic', '', 'gpt-1')).toMatchObject({ kind: 'not_found', message: 'model: gpt-1' });
  });

  it('are listed in pages in both directions', () => {
    expect(ids('')).toEqual({
      ids: ['claude-1', 'claude-2', 'claude-3'],
      has_more: false,
      first_id: 'claude-1',
      last_id: 'claude-3',
    });
    expect(ids('limit=2')).toMatchObject({ ids: ['claude-1', 'claude-2'], has_more: true, last_id: 'claude-2' });
    expect(ids('limit=2&after_id=claude-2')).toMatchObject({ ids: ['claude-3'], has_more: false });
    expect(ids('limit=1&before_id=claude-3')).toMatchObject({ ids: ['claude-2'], has_more: true });
    expect(ids('after_id=claude-9')).toEqual({ ids: [], has_more: false, first_id: null, last_id: null });
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'limit=-1', 'after_id=a&before_id=b'])('refuse %s', (query) => {
    expect(failure('anthropic', query)?.kind).toBe('invalid_request');
  });
});

describe('models in the format of Gemini', () => {
  it('have the limit of the prompt', () => {
    expect(create('google', '', 'gemini-1')).toEqual({
      name: 'models/gemini-1',
      displayName: 'gemini-1',
      inputTokenLimit: 1_000_000,
      supportedGenerationMethods: ['generateContent', 'countTokens', 'embedContent'],
    });
  });

  it('are listed in pages', () => {
    const many = {
      ...gateway,
      spec: { ...gateway.spec, routes: ['m-1', 'm-2', 'm-3'].map((name) => route(name, 'g')) },
    };
    const list = (query: string) =>
      modelLists.create(
        { kind: 'models', format: 'google', errors: openAiErrors, model: undefined, query: new URLSearchParams(query) },
        many,
        ['m-1', 'm-2', 'm-3'],
      ) as { models: { name: string }[]; nextPageToken?: string };
    const seen: string[] = [];
    for (let token: string | undefined = ''; token !== undefined;) {
      const { models, nextPageToken } = list(`pageSize=2&pageToken=${token}`);
      seen.push(...models.map(({ name }) => name));
      token = nextPageToken;
    }
    expect(seen).toEqual(['models/m-1', 'models/m-2', 'models/m-3']);
    expect(list('pageSize=0').models).toHaveLength(3);
    expect(list('pageSize=5000').models).toHaveLength(3);
  });

  it.each(['pageSize=-1', 'pageSize=x'])('refuse %s', (query) => {
    expect(failure('google', query)).toMatchObject({ kind: 'invalid_request', field: 'pageSize' });
  });
});
