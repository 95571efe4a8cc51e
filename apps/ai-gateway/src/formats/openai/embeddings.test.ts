import { describe, expect, it } from '@jest/globals';
import { createReceived, readResponse } from '../read-response.fixture.ts';
import { embeddings } from './embeddings.ts';

const read = (body: unknown) => embeddings.readRequest(createReceived(body));

describe('embeddings', () => {
  it.each([
    [[1, 2, 3], 3],
    [[[1, 2], [3]], 3],
    ['x'.repeat(320), 108],
    [['x'.repeat(320)], 109],
  ])('estimate the prompt %j', (input, promptTokens) => {
    expect(read({ model: 'm', input }).estimate).toEqual({ promptTokens, maxOutputTokens: 0 });
  });

  it('rename the model and keep everything else', () => {
    const request = read('{"input":"x" ,"model":"small"}');
    expect(Buffer.from(embeddings.createBody(request, 'large')).toString()).toBe('{"input":"x" ,"model":"large"}');
    expect(embeddings.createPath(request, 'large')).toBe('/embeddings');
  });

  it.each([3, 30_000])('report the usage of %d numbers and no output', (count) => {
    const embedding = Array.from({ length: count }, () => -0.0123456789);
    const data = [{ object: 'embedding', index: 0, embedding }];
    const usage = { prompt_tokens: 8, total_tokens: 8 };
    const document = Buffer.from(JSON.stringify({ object: 'list', data, model: 'text-embedding-3-small', usage }));
    const { text, report } = readResponse(embeddings, read({ model: 'm', input: 'x' }), document, [10_000]);
    expect(text).toBe(document.toString());
    expect(report).toMatchObject({ usage, isComplete: true, outputBytes: 0, model: 'text-embedding-3-small' });
  });
});
