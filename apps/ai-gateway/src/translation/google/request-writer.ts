import type { JsonObject } from '../../formats/model-request.ts';
import type { ChatRequest, ChatTool, OutputForm } from '../chat/chat-request.ts';
import { requireOpenTurn } from '../chat/conversation-rules.ts';
import { omitUndefined } from '../chat/members.ts';
import { createUntranslatableError, refuseSettings } from '../untranslatable.ts';
import { writeContents } from './content-writer.ts';
import { writeThinkingConfig } from './thinking-writer.ts';

const TARGET = 'google';
const TOOL_NAME = /^[A-Za-z_][\w.:-]{0,127}$/;
const MAX_STOP_SEQUENCES = 5;
const MAX_CANDIDATES = 8;

/**
 * Writes a request of `generateContent`.
 * @param model whose generation decides how reasoning is requested
 * @throws ModelCallError `untranslatable`, with the field of the client's request
 */
export function writeGenerateRequest(chat: ChatRequest, model: string): JsonObject {
  if (chat.tools.length > 0) refuseSettings(TARGET, [chat.singleToolCall]);
  requireOpenTurn(chat, TARGET);
  const { instructions, tools } = chat;
  const config = writeGenerationConfig(chat, model);
  return omitUndefined({
    contents: writeContents(chat),
    systemInstruction: instructions.length === 0 ? undefined : { parts: instructions.map(({ text }) => ({ text })) },
    tools: tools.length === 0 ? undefined : [{ functionDeclarations: tools.map(writeTool) }],
    toolConfig: writeToolConfig(chat),
    generationConfig: Object.keys(config).length === 0 ? undefined : config,
    serviceTier: chat.tier?.value,
  });
}

function writeGenerationConfig(chat: ChatRequest, model: string): JsonObject {
  const { stop, answers, output } = chat;
  if (stop !== undefined && stop.value.length > MAX_STOP_SEQUENCES)
    throw createUntranslatableError(stop.field, TARGET, `Send at most ${MAX_STOP_SEQUENCES} sequences.`);
  if (answers !== undefined && answers.value > MAX_CANDIDATES)
    throw createUntranslatableError(answers.field, TARGET, `Ask for at most ${MAX_CANDIDATES} answers.`);
  return omitUndefined({
    maxOutputTokens: chat.maxTokens?.value,
    temperature: chat.temperature?.value,
    topP: chat.topP?.value,
    topK: chat.topK?.value,
    stopSequences: stop?.value,
    seed: chat.seed?.value,
    presencePenalty: chat.presencePenalty?.value,
    frequencyPenalty: chat.frequencyPenalty?.value,
    candidateCount: answers?.value,
    ...(output && writeOutputForm(output.value)),
    thinkingConfig: writeThinkingConfig(chat, model),
  });
}

const writeOutputForm = (output: OutputForm): JsonObject => ({
  responseMimeType: 'application/json',
  ...(output.kind === 'json_schema' && { responseJsonSchema: output.schema }),
});

function writeTool({ name, description, schema, field }: ChatTool): JsonObject {
  if (!TOOL_NAME.test(name))
    throw createUntranslatableError(
      `${field}.name`,
      TARGET,
      'Begin the name with a letter or _, and use at most 128 letters, digits and the characters _ . : -',
    );
  return omitUndefined({ name, description, parametersJsonSchema: schema });
}

/** Only the modes `ANY` and `VALIDATED` make inputs match their schemas. */
function writeToolConfig({ toolChoice, tools }: ChatRequest): JsonObject | undefined {
  if (tools.length === 0) return undefined;
  const choice = toolChoice?.value ?? { kind: 'auto' };
  const isStrict = tools.some((tool) => tool.isStrict);
  switch (choice.kind) {
    case 'auto':
      return isStrict ? { functionCallingConfig: { mode: 'VALIDATED' } } : undefined;
    case 'none':
      return { functionCallingConfig: { mode: 'NONE' } };
    case 'required':
      return { functionCallingConfig: { mode: 'ANY' } };
    case 'named':
      return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: choice.names } };
  }
}
