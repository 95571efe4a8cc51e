import { withoutPrefix } from '../../../formats/google/model-path.ts';
import { requirePathSegment } from '../path-segment.ts';
import type { VertexFormat } from './vertex-format.ts';

/**
 * Gemini on Vertex AI: `publishers/google/models/{model}:generateContent`. The bodies are those of
 * the Gemini API. Embeddings have other paths, bodies and responses, so they are not served.
 */
export const vertexGoogle: VertexFormat = {
  serves: ({ telemetryName }) => telemetryName !== 'embeddings',
  createPath({ operation, request, model }) {
    requirePathSegment(withoutPrefix(model));
    return `/publishers/google${operation.createPath(request, model)}`;
  },
  createBody: ({ operation, request, model }) => operation.createBody(request, model),
};
