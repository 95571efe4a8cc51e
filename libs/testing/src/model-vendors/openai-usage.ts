import type { ModelAnswer } from './answer.ts';
import type { Directives } from './directives.ts';
import { VendorRefusal } from './refusal.ts';
import type { SchemaFault } from './schema.ts';

/** The usage object of chat completions. Details are subsets of the two totals. */
export function createChatUsage({ tokens }: ModelAnswer, { accepted, rejected }: Directives) {
  return {
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
    prompt_tokens_details: {
      cached_tokens: tokens.cached,
      audio_tokens: tokens.audioIn,
      ...(tokens.cacheWrite > 0 && { cache_write_tokens: tokens.cacheWrite }),
    },
    completion_tokens_details: {
      reasoning_tokens: tokens.reasoning,
      audio_tokens: tokens.audioOut,
      accepted_prediction_tokens: accepted,
      rejected_prediction_tokens: rejected,
    },
  };
}

/** The usage object of responses. */
export function createResponseUsage({ tokens }: ModelAnswer) {
  return {
    input_tokens: tokens.input,
    input_tokens_details: { cached_tokens: tokens.cached, cache_write_tokens: tokens.cacheWrite },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: tokens.reasoning },
    total_tokens: tokens.input + tokens.output,
  };
}

/** The tier that served a request. `auto` becomes `default`. */
export const chooseTier = (requested: string | null | undefined, { tier }: Directives): string =>
  tier ?? (requested === 'auto' || requested == null ? 'default' : requested);

/** The refusal of a body: an unknown field has the message of its operation. */
export function refuseField(
  { path, message, unknownField, isMissing }: SchemaFault,
  isResponses = false,
): VendorRefusal {
  const field = path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
  const refuse = (text: string, code: string | null, param: string | null) =>
    new VendorRefusal(400, 'invalid_request_error', text, code, param);
  if (unknownField !== undefined) {
    const param = field === '' ? unknownField : `${field}.${unknownField}`;
    if (isResponses || field !== '') return refuse(`Unknown parameter: '${param}'.`, 'unknown_parameter', param);
    return refuse(`Unrecognized request argument supplied: ${unknownField}`, null, null);
  }
  if (isMissing && field === 'model') return refuse('you must provide a model parameter', null, null);
  if (isMissing) return refuse(`Missing required parameter: '${field}'.`, 'missing_required_parameter', field);
  return refuse(`Invalid value for '${field}': ${message}.`, 'invalid_value', field === '' ? null : field);
}
