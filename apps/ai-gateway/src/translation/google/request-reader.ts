import type { ModelRequest } from '../../formats/model-request.ts';
import type { WireFormat } from '../../formats/operation.ts';
import type { ChatRequest, ChatSettings, ChatTool, Effort, OutputForm, Reasoning } from '../chat/chat-request.ts';
import { joinTurns } from '../chat/turns.ts';
import { parseClientRequest } from '../parse-request.ts';
import { type Located, createUntranslatableError, locate } from '../untranslatable.ts';
import { toCamelCase } from './camel-case.ts';
import { readContents, readInstructions } from './content-reader.ts';
import { type GoogleChat, contentSchema } from './content-schema.ts';
import { convertOpenApiSchema } from './openapi-schema.ts';

type GenerationConfig = NonNullable<GoogleChat['generationConfig']>;

/**
 * Reads a request of `generateContent` or `streamGenerateContent`.
 * @param target the format of the provider, for messages
 * @throws ModelCallError `untranslatable` or `invalid_request`, with the field
 */
export function readContentChat({ received, model, isStream }: ModelRequest, target: WireFormat): ChatRequest {
  const request = parseClientRequest(contentSchema, toCamelCase(received.body), target);
  const { systemInstruction } = request;
  const calling = request.toolConfig?.functionCallingConfig;
  return {
    model,
    isStream,
    ...joinTurns([
      { role: 'system', parts: systemInstruction === undefined ? [] : readInstructions(systemInstruction, target) },
      ...readContents(request.contents, target),
    ]),
    turnsField: 'contents',
    tools: readTools(request, calling?.mode === 'VALIDATED'),
    ...readToolChoice(calling, target),
    ...readConfig(request.generationConfig ?? {}, target),
    tier: readTier(request, target),
  };
}

const readTools = ({ tools = [] }: GoogleChat, isStrict: boolean): ChatTool[] =>
  tools.flatMap(({ functionDeclarations = [] }, at) =>
    functionDeclarations.map(({ name, description, parameters, parametersJsonSchema }, index) => ({
      name,
      description,
      schema: parametersJsonSchema ?? (parameters && convertOpenApiSchema(parameters)),
      isStrict,
      field: `tools.${at}.functionDeclarations.${index}`,
    })),
  );

const CALLING = 'toolConfig.functionCallingConfig';

function readToolChoice(
  calling: NonNullable<GoogleChat['toolConfig']>['functionCallingConfig'],
  target: WireFormat,
): Pick<ChatSettings, 'toolChoice'> {
  const { mode = 'AUTO', allowedFunctionNames: names = [] } = calling ?? {};
  const field = `${CALLING}.mode`;
  if (mode === 'NONE') return { toolChoice: locate(field, { kind: 'none' }) };
  if (mode === 'ANY')
    return names.length === 0
      ? { toolChoice: locate(field, { kind: 'required' }) }
      : { toolChoice: locate(`${CALLING}.allowedFunctionNames`, { kind: 'named', names }) };
  if (names.length > 0) throw createUntranslatableError(`${CALLING}.allowedFunctionNames`, target);
  return {};
}

function readConfig(config: GenerationConfig, target: WireFormat): ChatSettings {
  const at = <T>(name: keyof GenerationConfig, value: T | undefined) => locate(`generationConfig.${name}`, value);
  const { stopSequences: stop, candidateCount: count, thinkingConfig: thinking } = config;
  return {
    maxTokens: at('maxOutputTokens', config.maxOutputTokens),
    temperature: at('temperature', config.temperature),
    topP: at('topP', config.topP),
    topK: at('topK', config.topK),
    stop: at('stopSequences', stop === undefined || stop.length === 0 ? undefined : stop),
    seed: at('seed', config.seed),
    presencePenalty: at('presencePenalty', config.presencePenalty === 0 ? undefined : config.presencePenalty),
    frequencyPenalty: at('frequencyPenalty', config.frequencyPenalty === 0 ? undefined : config.frequencyPenalty),
    answers: at('candidateCount', count === 1 ? undefined : count),
    output: at('responseMimeType', readOutputForm(config)),
    reasoning: readThinking(thinking, target),
    showsThoughts: thinking?.includeThoughts === true,
  };
}

function readOutputForm(config: GenerationConfig): OutputForm | undefined {
  if (config.responseMimeType !== 'application/json') return undefined;
  const { responseSchema, responseJsonSchema } = config;
  const schema = responseJsonSchema ?? (responseSchema && convertOpenApiSchema(responseSchema));
  return schema === undefined ? { kind: 'json' } : { kind: 'json_schema', schema };
}

const EFFORTS: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high']);

/** A budget of -1 lets the model decide. */
function readThinking(
  thinking: GenerationConfig['thinkingConfig'],
  target: WireFormat,
): Located<Reasoning> | undefined {
  if (thinking === undefined) return undefined;
  const { thinkingBudget: budget, thinkingLevel: level, includeThoughts } = thinking;
  if (level !== undefined) {
    const field = 'generationConfig.thinkingConfig.thinkingLevel';
    const effort = level.toLowerCase();
    if (!EFFORTS.has(effort)) throw createUntranslatableError(field, target);
    return locate(field, { kind: 'effort', effort: effort as Effort });
  }
  const field = 'generationConfig.thinkingConfig.thinkingBudget';
  if (budget === 0) return locate(field, { kind: 'off' });
  if (budget !== undefined && budget > 0) return locate(field, { kind: 'budget', tokens: budget });
  return budget === -1 || includeThoughts === true
    ? locate('generationConfig.thinkingConfig', { kind: 'auto' })
    : undefined;
}

function readTier({ serviceTier }: GoogleChat, target: WireFormat): ChatRequest['tier'] {
  const tier = serviceTier?.toLowerCase();
  if (tier === undefined || tier === 'unspecified') return undefined;
  if (tier === 'standard' || tier === 'flex') return locate('serviceTier', tier);
  throw createUntranslatableError('serviceTier', target);
}
