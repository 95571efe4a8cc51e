import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { type GoogleTokenEndpoint, startGoogleTokenEndpoint } from '@gatehouse/testing/google-token-endpoint';
import fc from 'fast-check';
import { countContentTokens } from '../../../formats/google/count-tokens.ts';
import { batchEmbedContents, embedContent } from '../../../formats/google/embed-content.ts';
import { generateContent } from '../../../formats/google/generate-content.ts';
import { streamGenerateContent } from '../../../formats/google/stream-generate-content.ts';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import type { ModelOperation } from '../../../formats/operation.ts';
import { createReceived } from '../../../formats/read-response.fixture.ts';
import { GoogleTokens } from './google-tokens.ts';
import { VertexModels } from './vertex-models.ts';

const PREFIX = '/v1/projects/my-project/locations/europe-west1/publishers/google/models/';
const BODY = { contents: [{ role: 'user', parts: [{ text: 'a' }] }] };

let endpoint: GoogleTokenEndpoint;
let tokens: GoogleTokens;
let platform: VertexModels;
beforeAll(async () => {
  endpoint = await startGoogleTokenEndpoint();
  tokens = new GoogleTokens({ allowLoopback: true, log: { warn: () => undefined } });
  platform = new VertexModels({ project: 'my-project', location: 'europe-west1' }, tokens);
});
afterAll(async () => {
  await tokens.close();
  await endpoint.close();
});

const create = (operation: ModelOperation, { model = 'gemini-3.8-flash', query = '', credential = '' } = {}) =>
  platform.createRequest({
    provider: { name: 'p', kind: 'google', endpoint: 'https://europe-west1-aiplatform.googleapis.com' },
    operation,
    request: operation.readRequest({ ...createReceived(BODY, query), pathModel: 'gemini' }),
    model,
    headers: { 'x-goog-api-key': 'virtual', authorization: 'Bearer virtual', 'x-goog-fieldmask': 'a' },
    credential: credential === '' ? undefined : credential,
    attemptId: 'call-1',
  });

describe('a request to a model of Google on Vertex AI', () => {
  it.each([
    [generateContent, '', 'gemini-3.8-flash:generateContent'],
    [streamGenerateContent, 'alt=sse&fields=a&key=b', 'gemini-3.8-flash:streamGenerateContent?alt=sse'],
    [streamGenerateContent, '', 'gemini-3.8-flash:streamGenerateContent'],
    [countContentTokens, '', 'gemini-3.8-flash:countTokens'],
  ])('has the path of its method', async (operation, query, path) => {
    const request = await create(operation, { query });
    expect([request.path, Buffer.from(request.body).toString()]).toEqual([PREFIX + path, JSON.stringify(BODY)]);
  });

  it('has an access token, and no credential of the client', async () => {
    const { headers } = await create(generateContent, { credential: endpoint.keyFile });
    expect(headers['authorization']).toBe(`Bearer ${[...endpoint.tokens].at(-1) ?? ''}`);
    expect(JSON.stringify(headers)).not.toMatch(/virtual|x-goog/);
    const again = create(generateContent, { credential: endpoint.keyFile });
    expect(again).toMatchObject({ headers: { authorization: headers['authorization'] } });
  });

  it('has no credential where the provider has none, because a proxy can add it', () => {
    expect(create(generateContent)).toMatchObject({ headers: expect.not.objectContaining({ authorization: '' }) });
    expect(JSON.stringify(create(generateContent))).not.toContain('authorization');
  });

  it('takes the prefix models/ of a name', async () => {
    const { path } = await create(generateContent, { model: 'models/gemini-2.5-flash' });
    expect(path).toBe(`${PREFIX}gemini-2.5-flash:generateContent`);
  });

  it.each([embedContent, batchEmbedContents])('is refused for embeddings, which have another form', (operation) => {
    expect([platform.serves(generateContent), platform.serves(operation)]).toEqual([true, false]);
  });

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
        expect(path).toBe(`${PREFIX}${model}:generateContent`);
        expect(new URL(path, 'https://r').pathname).toBe(path);
      }),
      { seed, numRuns: 500 * effort },
    );
    for (const model of ['..', '../../x', 'a:predict', 'a%2f', 'projects/other'])
      expect(readPath(model)).toBeUndefined();
  });
});

/** @returns undefined for a model that is refused */
function readPath(model: string): string | undefined {
  try {
    return (create(generateContent, { model }) as { readonly path: string }).path;
  } catch (error) {
    expect(error).toBeInstanceOf(ModelCallError);
    expect(error).toMatchObject({ failure: 'not_found' });
    return undefined;
  }
}
