import type { VertexFormat } from './vertex-format.ts';

/**
 * The chat completions of Vertex AI: `endpoints/openapi/chat/completions`. The body names the model
 * with its publisher, such as `google/gemini-2.5-flash`. Other operations do not exist there.
 */
export const vertexOpenAi: VertexFormat = {
  serves: ({ name }) => name === 'openai.chat_completions',
  createPath: () => '/endpoints/openapi/chat/completions',
  createBody: ({ operation, request, model }) => operation.createBody(request, model),
};
