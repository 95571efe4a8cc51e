import { answerPrompt, type ModelPrompt, type OfferedTool } from './answer.ts';
import { parseGoogle } from './google-fields.ts';
import { generateSchema, type GenerateRequest, type GoogleContent } from './google-schemas.ts';
import { createContentReply } from './google-stream.ts';
import type { VendorOperation } from './reply.ts';

/** `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. */
export const generateContent: VendorOperation = (call) => {
  const request = parseGoogle(generateSchema, call.body);
  const answer = answerPrompt(readContents(request), call.directives);
  const isStream = call.path.endsWith(':streamGenerateContent');
  const form = isStream ? (call.query.get('alt') === 'sse' ? 'events' : 'array') : 'whole';
  return createContentReply(call, answer, {
    form,
    includesThoughts: request.generationConfig?.thinkingConfig?.includeThoughts === true,
  });
};

/** Reads the parts of a request that its token count and its answer depend on. */
export function readContents(request: GenerateRequest): ModelPrompt {
  const { contents, tools = [], systemInstruction, generationConfig: config = {} } = request;
  const { mode, allowedFunctionNames } = request.toolConfig?.functionCallingConfig ?? {};
  const lastUser = contents.findLast((content) => content.role !== 'model' && readTexts(content) !== '');
  const last = contents.at(-1);
  const thinking = config.thinkingConfig;
  return {
    texts: [...contents.map(readTexts), systemInstruction === undefined ? '' : readTexts(systemInstruction)],
    lastText: lastUser === undefined ? '' : readTexts(lastUser),
    toolResults: (last?.parts ?? []).flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [readResult(functionResponse.response)],
    ),
    imageCount: contents.flatMap(({ parts }) => parts).filter(({ inlineData }) => inlineData !== undefined).length,
    tools: tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name, parameters, parametersJsonSchema }): OfferedTool => ({
        name,
        schema: parameters ?? parametersJsonSchema,
      })),
    ),
    toolChoice: mode === 'ANY' ? (allowedFunctionNames?.[0] ?? true) : mode === 'NONE' ? false : undefined,
    choiceCount: config.candidateCount ?? 1,
    maxTokens: config.maxOutputTokens,
    stopSequences: config.stopSequences ?? [],
    isReasoning: thinking !== undefined && thinking.thinkingBudget !== 0,
    isJson: config.responseMimeType === 'application/json',
  };
}

const readTexts = ({ parts }: GoogleContent): string => parts.flatMap(({ text }) => text ?? []).join(' ');

const readResult = (response: Record<string, unknown>): string => {
  const value = response['result'] ?? response['output'] ?? response;
  return typeof value === 'string' ? value : JSON.stringify(value);
};
