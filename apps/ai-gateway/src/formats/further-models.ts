import { ModelCallError } from './model-call-error.ts';
import type { JsonObject } from './model-request.ts';
import type { WireFormat } from './operation.ts';
import { isJsonObject } from './readers/response-facts.ts';
import { listObjects } from './request-fields.ts';

/**
 * The members by which a request names further models. Anthropic has `fallbacks`; routers such as
 * OpenRouter and LiteLLM have the others beside it.
 */
const MEMBERS: Readonly<Record<WireFormat, readonly string[]>> = {
  openai: ['models', 'fallbacks', 'fallback_models'],
  anthropic: ['models', 'fallbacks'],
  google: [],
};

/** The members of `generationConfig` by which Vertex AI chooses a model, in both spellings. */
const GOOGLE_CONFIG_MEMBERS = [
  ...['routingConfig', 'routing_config', 'modelConfig', 'model_config'],
  ...['modelSelectionConfig', 'model_selection_config'],
];

/** The tools with a model of their own: `advisor_20260301` of Anthropic, and images of OpenAI. */
const TOOLS: Readonly<Record<WireFormat, RegExp | undefined>> = {
  openai: /^image_generation/,
  anthropic: /^advisor/,
  google: undefined,
};

/** The members of a format that `refuseFurtherModels` reads. */
export const listFurtherModelMembers = (format: WireFormat): readonly string[] => [...MEMBERS[format], 'tools'];

/**
 * Refuses what lets a provider use further models. They are neither granted to the caller nor part
 * of the price.
 * @throws ModelCallError `invalid_request`
 */
export function refuseFurtherModels(format: WireFormat, body: JsonObject): void {
  for (const name of MEMBERS[format]) refuseMember(body[name], name);
  for (const config of format === 'google' ? [body['generationConfig'], body['generation_config']] : [])
    if (isJsonObject(config))
      for (const name of GOOGLE_CONFIG_MEMBERS) refuseMember(config[name], `generationConfig.${name}`);
  const refused = TOOLS[format];
  if (refused === undefined) return;
  for (const { type } of listTools(body))
    if (typeof type === 'string' && refused.test(type))
      throw createError(`The gateway does not support the tool \`${type}\`: it uses a further model.`, 'tools');
}

function refuseMember(value: unknown, name: string): void {
  if (value === undefined || value === null) return;
  // Claude Code reads this sentence, and sends the request again without the member.
  const sentence = `The gateway does not support the \`${name}\` parameter: it can select a further model.`;
  throw createError(sentence, name);
}

/** The tools of a request, and those that messages of Anthropic add (`tool_addition`). */
function* listTools(body: JsonObject): Generator<JsonObject> {
  yield* listObjects(body['tools']);
  for (const message of listObjects(body['messages']))
    for (const { type, tool } of listObjects(message['content']))
      if (type === 'tool_addition' && isJsonObject(tool) && isJsonObject(tool['definition'])) yield tool['definition'];
}

const createError = (sentence: string, field: string): ModelCallError =>
  new ModelCallError('invalid_request', `${sentence} Remove it.`, { field, reason: 'further_model' });
