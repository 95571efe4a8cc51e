import { describe, expect, it } from '@jest/globals';
import { chatCompletions } from '../../../formats/openai/chat-completions.ts';
import { embeddings } from '../../../formats/openai/embeddings.ts';
import { responses } from '../../../formats/openai/responses.ts';
import { createReceived } from '../../../formats/read-response.fixture.ts';
import { GoogleTokens } from './google-tokens.ts';
import { VertexModels } from './vertex-models.ts';

const tokens = new GoogleTokens({ allowLoopback: false, log: { warn: () => undefined } });
const platform = new VertexModels({ project: 'my-project', location: 'global' }, tokens);
const REQUEST = { model: 'gemini', stream: true, messages: [{ role: 'user', content: 'Hi' }] };

describe('a chat completion on Vertex AI', () => {
  it('names the model with its publisher in the body, and nothing of the client in its path', async () => {
    const { path, headers, body } = await platform.createRequest({
      provider: { name: 'p', kind: 'openai', endpoint: 'https://aiplatform.googleapis.com' },
      operation: chatCompletions,
      request: chatCompletions.readRequest(createReceived(REQUEST, 'a=b')),
      model: 'google/gemini-2.5-flash',
      headers: { authorization: 'Bearer virtual' },
      credential: undefined,
      attemptId: 'call-1',
    });
    expect(path).toBe('/v1/projects/my-project/locations/global/endpoints/openapi/chat/completions');
    expect(JSON.parse(Buffer.from(body).toString())).toEqual({
      ...REQUEST,
      model: 'google/gemini-2.5-flash',
      stream_options: { include_usage: true },
    });
    expect(JSON.stringify(headers)).not.toContain('virtual');
  });

  it('is the only operation in the format of OpenAI', () => {
    expect([chatCompletions, responses, embeddings].map((operation) => platform.serves(operation))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
