import { countTokens, createEcho, createVector, type Echo } from './echo.ts';
import {
  DemoRequestError,
  type DemoRequest,
  findLastMessage,
  formatEvent,
  isObject,
  readLimit,
  readText,
  type Reply,
  requireList,
} from './reply.ts';

const DEFAULT_DIMENSIONS = 64;
const MAX_DIMENSIONS = 3_072;

/** `models/{model}:generateContent` (Gemini API reference). Tools are ignored. */
export function generateContent(request: DemoRequest): Reply {
  const echo = readPrompt(request);
  return { json: createResponse(request, echo, echo.text, true) };
}

/** `models/{model}:streamGenerateContent`: events with `alt=sse`, else one JSON list. */
export function streamGenerateContent(request: DemoRequest): Reply {
  const echo = readPrompt(request);
  const parts = echo.chunks.map((text, at) => createResponse(request, echo, text, at === echo.chunks.length - 1));
  if (request.query.get('alt') === 'sse')
    return { contentType: 'text/event-stream', frames: parts.map((part) => formatEvent(part)) };
  const frames = parts.map((part, at) => `${at === 0 ? '[' : ',\r\n'}${JSON.stringify(part)}`);
  return { contentType: 'application/json', frames: [...frames, ']'] };
}

/** `models/{model}:countTokens`. */
export function countContentTokens({ body }: DemoRequest): Reply {
  const { generateContentRequest: request } = body;
  return { json: { totalTokens: countTokens(requireList(isObject(request) ? request : body, 'contents')) } };
}

/** `models/{model}:embedContent`: a vector without a meaning. */
export const embedContent = ({ body }: DemoRequest): Reply => ({ json: { embedding: createEmbedding(body) } });

/** `models/{model}:batchEmbedContents`. */
export function batchEmbedContents({ body }: DemoRequest): Reply {
  const requests = requireList(body, 'requests');
  return { json: { embeddings: requests.map(createEmbedding) } };
}

function createEmbedding(body: unknown): object {
  if (!isObject(body)) throw new DemoRequestError('requests: must be a list of objects');
  const dimensions = Math.min(readLimit(body, 'outputDimensionality') ?? DEFAULT_DIMENSIONS, MAX_DIMENSIONS);
  return { values: createVector(JSON.stringify(body['content']), dimensions) };
}

function readPrompt({ body }: DemoRequest): Echo {
  const contents = requireList(body, 'contents');
  const { generationConfig } = body;
  const config = isObject(generationConfig) ? generationConfig : {};
  // The role of a single content can be absent: it is that of the user.
  const withRoles = contents.filter(isObject).map((content) => ({ role: 'user', ...content }));
  const last = readText(findLastMessage(withRoles, 'user')['parts']);
  const prompt = [body['systemInstruction'], contents, body['tools']];
  return createEcho(prompt, last, readLimit(config, 'maxOutputTokens'));
}

function createResponse({ pathModel }: DemoRequest, echo: Echo, text: string, isLast: boolean): object {
  const { promptTokens, outputTokens, digest, isCut } = echo;
  const finish = isLast ? { finishReason: isCut ? 'MAX_TOKENS' : 'STOP' } : {};
  const usage = isLast
    ? { candidatesTokenCount: outputTokens, totalTokenCount: promptTokens + outputTokens }
    : { totalTokenCount: promptTokens };
  return {
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...finish }],
    usageMetadata: {
      promptTokenCount: promptTokens,
      ...usage,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: promptTokens }],
    },
    modelVersion: pathModel,
    responseId: `demo-${digest}`,
  };
}
