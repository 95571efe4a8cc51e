import { ModelCallError } from './model-call-error.ts';
import type { JsonObject } from './model-request.ts';
import { isJsonObject } from './readers/response-facts.ts';

/** The largest number of tokens that an estimate can have. It is above every limit of a model. */
const MAX_TOKENS = 1_000_000_000;

/** The objects of a list; none for every other value. */
export const listObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** The longest name of a model, in bytes. A usage event with a longer one could not be stored. */
const MAX_MODEL_BYTES = 256;
const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/**
 * Reads the name of the model: one line of at most 256 bytes.
 * @throws ModelCallError `invalid_request`
 */
export function readModelName(body: JsonObject): string {
  const { model } = body;
  if (model === undefined || model === null || model === '')
    throw new ModelCallError('invalid_request', "The request lacks 'model'. Send the name of a model.", {
      field: 'model',
    });
  if (typeof model !== 'string') throw createTypeError('model', 'a string');
  if (Buffer.byteLength(model) > MAX_MODEL_BYTES || !ONE_LINE.test(model))
    throw new ModelCallError('invalid_request', `'model' must be one line of at most ${MAX_MODEL_BYTES} bytes.`, {
      field: 'model',
    });
  return model;
}

/** Reads a boolean field; null and a missing field are false. @throws ModelCallError */
export function readFlag(body: JsonObject, field: string): boolean {
  const value = body[field];
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw createTypeError(field, 'a boolean');
  return value;
}

/**
 * Reads a limit in tokens.
 * @returns undefined without a limit; compatible servers understand 0 and less so too
 * @throws ModelCallError `invalid_request`
 */
export function readTokenLimit(body: JsonObject, field: string): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (!Number.isInteger(value)) throw createTypeError(field, 'a whole number');
  return (value as number) > 0 ? limitTokens(value as number) : undefined;
}

/** Limits a number of tokens to one that an estimate can have. */
export const limitTokens = (tokens: number): number => Math.min(tokens, MAX_TOKENS);

/** The error of a field with a wrong type. @param expected with its article */
export const createTypeError = (field: string, expected: string): ModelCallError =>
  new ModelCallError('invalid_request', `Invalid type for '${field}': expected ${expected}.`, { field });
