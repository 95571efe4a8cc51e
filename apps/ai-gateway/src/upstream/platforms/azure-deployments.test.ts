import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { ModelOperation } from '../../formats/operation.ts';
import { chatCompletions } from '../../formats/openai/chat-completions.ts';
import { embeddings } from '../../formats/openai/embeddings.ts';
import { responses } from '../../formats/openai/responses.ts';
import { ModelCallError } from '../../formats/model-call-error.ts';
import { createReceived } from '../../formats/read-response.fixture.ts';
import { AzureDeployments } from './azure-deployments.ts';

const platform = new AzureDeployments({ apiVersion: '2024-10-21' });
const PREFIX = '/openai/deployments/';

const create = (operation: ModelOperation, { model = 'chat-prod', query = '', pathPrefix = '' } = {}) => {
  const received = { ...createReceived({ model: 'gpt', input: 'a', messages: [] }), query: new URLSearchParams(query) };
  return platform.createRequest({
    provider: {
      name: 'p',
      kind: 'openai',
      endpoint: 'https://r.openai.azure.com',
      ...(pathPrefix !== '' && { pathPrefix }),
    },
    operation,
    request: operation.readRequest(received),
    model,
    headers: { authorization: 'Bearer virtual', 'api-key': 'virtual', 'openai-beta': 'x' },
    credential: 'real',
    attemptId: 'call-1',
  });
};

describe('a request to a deployment of Azure', () => {
  it.each([
    [chatCompletions, '/openai/deployments/chat-prod/chat/completions?api-version=2024-10-21'],
    [embeddings, '/openai/deployments/chat-prod/embeddings?api-version=2024-10-21'],
    [responses, '/openai/responses?api-version=2024-10-21'],
  ])('has the path of the deployment', (operation, path) => {
    expect(create(operation).path).toBe(path);
    expect(JSON.parse(Buffer.from(create(operation).body).toString())).toMatchObject({ model: 'chat-prod' });
  });

  it('has the path prefix of the provider', () => {
    const { path } = create(chatCompletions, { pathPrefix: '/apim/openai' });
    expect(path).toBe('/apim/openai/deployments/chat-prod/chat/completions?api-version=2024-10-21');
  });

  it('has the key in api-key and no credential of the client', () => {
    const { headers } = create(chatCompletions);
    expect(headers).toMatchObject({ 'api-key': 'real', 'x-ms-client-request-id': 'call-1', 'openai-beta': 'x' });
    expect([headers['authorization'], JSON.stringify(headers).includes('virtual')]).toEqual([undefined, false]);
  });

  it.each(['api-version=1', 'API-Version=1&api-version=2', 'api%2Dversion=1', 'api-version=2024-10-21%26x'])(
    'keeps its version beside the query %s',
    (query) => {
      expect(create(chatCompletions, { query: `${query}&beta=a%26b` }).path.split('?')[1]).toBe(
        'beta=a%26b&api-version=2024-10-21',
      );
    },
  );

  it('cannot leave its path by the name of a model', () => {
    const part = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      '?',
      '#',
      '%',
      '%2e',
      '%2F',
      '\n',
      '\0',
      ';',
      ':',
      ' ',
      'a',
      'ß',
    );
    const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(name, (model) => {
        const path = readPath(model);
        if (path === undefined) return;
        expect(path).toBe(`${PREFIX}${model}/chat/completions?api-version=2024-10-21`);
        expect(new URL(path, 'https://r').pathname).toBe(`${PREFIX}${model}/chat/completions`);
      }),
      { seed, numRuns: 500 * effort },
    );
    for (const model of ['.', '..', 'a/b', 'a%2fb', 'a?b', 'a#b', 'a\r\nb', ''])
      expect(readPath(model)).toBeUndefined();
  });
});

/** @returns undefined for a model that is refused */
function readPath(model: string): string | undefined {
  try {
    return create(chatCompletions, { model }).path;
  } catch (error) {
    expect(error).toBeInstanceOf(ModelCallError);
    expect(error).toMatchObject({ failure: 'not_found', field: 'model' });
    return undefined;
  }
}
