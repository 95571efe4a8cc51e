import { JsonReader } from '@gatehouse/json-limits/json-reader';
import { maxOutputTokens } from '@gatehouse/money/model-limits';
import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject, ModelRequest, ReceivedRequest } from '../model-request.ts';
import { refuseFurtherModels } from '../further-models.ts';
import { requirePricedOptions } from '../priced-options.ts';
import { isJsonObject } from '../readers/response-facts.ts';
import { limitTokens, readModelName } from '../request-fields.ts';
import { getMember } from './members.ts';
import { readResponseForm, withoutPrefix } from './model-path.ts';
import { estimatePromptTokens } from './prompt-tokens.ts';

/**
 * Reads a request with the model in its path. It has no limit of the output.
 * @throws ModelCallError `invalid_request`
 */
export function readModelRequest(received: ReceivedRequest): ModelRequest {
  const model = readModelName({ model: withoutPrefix(received.pathModel ?? '') });
  readResponseForm(received.query);
  if (!new JsonReader(received.bytes).isObject)
    throw new ModelCallError('invalid_request', 'The body must be a JSON object in UTF-8 without a byte order mark.');
  const estimate = { promptTokens: estimatePromptTokens(received) };
  return { received, model, isStream: false, estimate, members: new Map() };
}

/**
 * Reads a request of `generateContent`. Its limit of tokens applies to each candidate.
 * @throws ModelCallError `invalid_request`
 */
export function readGenerationRequest(received: ReceivedRequest, isStream: boolean): ModelRequest {
  const request = readModelRequest(received);
  requirePricedOptions('google', received.body);
  refuseFurtherModels('google', received.body);
  const config = getMember(received.body, 'generationConfig');
  const outputLimit = isJsonObject(config) ? readOutputLimit(config, request.model) : undefined;
  return { ...request, isStream, estimate: { ...request.estimate, maxOutputTokens: outputLimit } };
}

/** The limit of all candidates. Without it, a single one is left to the limit of the model. */
function readOutputLimit(config: JsonObject, model: string): number | undefined {
  const limit = readCount(getMember(config, 'maxOutputTokens'));
  const candidates = readCount(getMember(config, 'candidateCount')) ?? 1;
  if (limit === undefined && candidates === 1) return undefined;
  return limitTokens((limit ?? maxOutputTokens('google', model)) * candidates);
}

/**
 * Reads a count from 1: a whole number, or its digits as a text (ProtoJSON format). Every other
 * value counts as absent; the provider refuses it, or has a default for 0.
 */
function readCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : undefined;
}
