import { countTokens, createVector } from './echo.ts';
import { DemoRequestError, type DemoRequest, readLimit, type Reply, requireModel } from './reply.ts';

const DEFAULT_DIMENSIONS = 64;
const MAX_DIMENSIONS = 3_072;

/** `POST /v1/embeddings` (OpenAI API reference, Embeddings): vectors without a meaning. */
export function embed({ body }: DemoRequest): Reply {
  const model = requireModel(body);
  const dimensions = Math.min(readLimit(body, 'dimensions') ?? DEFAULT_DIMENSIONS, MAX_DIMENSIONS);
  const inputs = listInputs(body['input']);
  const isBase64 = body['encoding_format'] === 'base64';
  const data = inputs.map((input, index) => {
    const vector = createVector(JSON.stringify(input), dimensions);
    return { object: 'embedding', index, embedding: isBase64 ? encodeVector(vector) : vector };
  });
  const tokens = inputs.reduce<number>(
    (sum, input) => sum + (Array.isArray(input) ? input.length : countTokens(input)),
    0,
  );
  return { json: { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } } };
}

/** One text, one list of tokens, or a list of either. */
function listInputs(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input) || input.length === 0)
    throw new DemoRequestError('input: must be a text or a list of texts');
  return typeof input[0] === 'number' ? [input] : input;
}

/** 32-bit floats, little endian, as the SDKs of OpenAI request them. */
const encodeVector = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
};
