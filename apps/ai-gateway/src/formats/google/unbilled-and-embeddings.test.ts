import { describe, expect, it } from '@jest/globals';
import { createReceived, readResponse } from '../read-response.fixture.ts';
import { countContentTokens } from './count-tokens.ts';
import { batchEmbedContents, embedContent } from './embed-content.ts';

const receive = (body: unknown) => ({ ...createReceived(body), pathModel: 'alias' });
const content = { parts: [{ text: 'Hello' }] };

describe('countTokens', () => {
  const request = countContentTokens.readRequest(
    receive({ generateContentRequest: { model: 'models/alias', contents: [content] } }),
  );

  it('is free', () => {
    expect(countContentTokens.isMetered).toBe(false);
    expect(request.estimate).toEqual({ promptTokens: 0 });
    const { report } = readResponse(countContentTokens, request, Buffer.from('{"totalTokens": 31}'));
    expect(report.usage).toBeUndefined();
  });

  it('goes to the model of the provider', () => {
    expect(countContentTokens.createPath(request, 'real')).toBe('/models/real:countTokens');
    expect(JSON.parse(Buffer.from(countContentTokens.createBody(request, 'real')).toString())).toEqual({
      generateContentRequest: { model: 'models/real', contents: [content] },
    });
  });
});

describe.each([
  ['embedContent', embedContent, { model: 'models/alias', content }],
  ['batchEmbedContents', batchEmbedContents, { requests: [{ model: 'models/alias', content }] }],
] as const)('%s', (method, operation, body) => {
  const request = operation.readRequest(receive(body));

  it('expects no output', () => {
    expect(operation.isMetered).toBe(true);
    expect(request.estimate).toEqual({ promptTokens: expect.any(Number), maxOutputTokens: 0 });
  });

  it('goes to the model of the provider', () => {
    expect(operation.createPath(request, 'real')).toBe(`/models/real:${method}`);
    expect(Buffer.from(operation.createBody(request, 'real')).toString()).toBe(
      JSON.stringify(body).replace('alias', 'real'),
    );
  });

  it('reports the usage of newer models, and no output', () => {
    const vectors = { embeddings: [{ values: [0.1, -2e-3] }] };
    const usageMetadata = { promptTokenCount: 3, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 3 }] };
    const newer = readResponse(operation, request, Buffer.from(JSON.stringify({ ...vectors, usageMetadata }))).report;
    expect(newer).toMatchObject({ usage: usageMetadata, outputBytes: 0, isComplete: true });
    const older = readResponse(operation, request, Buffer.from(JSON.stringify(vectors))).report;
    expect(older).toMatchObject({ outputBytes: 0, isComplete: true });
    expect(older.usage).toBeUndefined();
  });
});
