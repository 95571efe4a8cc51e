import { answerPrompt, type ModelPrompt, type OfferedTool } from './answer.ts';
import { createId, readSeconds } from './identifiers.ts';
import { createItems, streamResponse } from './openai-responses-stream.ts';
import { responseSchema, type ResponseRequest } from './openai-schemas.ts';
import { chooseTier, createResponseUsage, refuseField } from './openai-usage.ts';
import type { VendorOperation } from './reply.ts';
import { parseWith } from './schema.ts';

/** `POST /v1/responses`. */
export const createResponse =
  (requireModel: (model: string) => string): VendorOperation =>
  ({ body, record, directives }) => {
    const request = parseWith(responseSchema, body, (fault) => refuseField(fault, true));
    record.model = requireModel(request.model);
    const answer = answerPrompt(readPrompt(request), directives);
    const usage = createResponseUsage(answer);
    const isCut = answer.finish === 'length';
    const base = {
      id: createId('resp_', 48),
      object: 'response',
      created_at: readSeconds(),
      background: false,
      error: null,
      instructions: request.instructions ?? null,
      max_output_tokens: request.max_output_tokens ?? null,
      metadata: request.metadata ?? {},
      model: directives.served ?? request.model,
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
      service_tier: chooseTier(request.service_tier, directives),
      store: true,
      temperature: request.temperature ?? 1,
      text: request.text ?? { format: { type: 'text' } },
      tool_choice: request.tool_choice ?? 'auto',
      tools: request.tools ?? [],
      top_p: 1,
      truncation: 'disabled',
      user: null,
    };
    const items = createItems(answer, directives.web_search);
    const complete = {
      ...base,
      status: isCut ? 'incomplete' : 'completed',
      incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
      output: items.map(({ item }) => item),
      ...(directives.usage !== 'none' && { usage }),
    };
    if (request.stream !== true) return { kind: 'json', body: complete, usage };
    const started = { ...base, status: 'in_progress', incomplete_details: null, output: [], usage: null };
    return streamResponse({ started, complete, items, usage, directives });
  };

function readPrompt(request: ResponseRequest): ModelPrompt {
  const { tool_choice: choice } = request;
  const items = typeof request.input === 'string' ? [{ role: 'user' as const, content: request.input }] : request.input;
  const texts = items.map(readItem);
  const lastUser = items.findLastIndex((item) => 'role' in item && item.role === 'user');
  const isResult = (item: (typeof items)[number]) => 'type' in item && item.type === 'function_call_output';
  return {
    texts: [...texts, request.instructions ?? ''],
    lastText: texts[lastUser] ?? '',
    toolResults: items.flatMap((item, at) => (at > lastUser && isResult(item) ? [texts[at] ?? ''] : [])),
    imageCount: items.flatMap(listParts).filter(({ type }) => type === 'input_image').length,
    tools: (request.tools ?? []).flatMap((tool): OfferedTool[] =>
      'name' in tool ? [{ name: tool.name, schema: tool.parameters ?? undefined }] : [],
    ),
    toolChoice:
      typeof choice === 'object' ? choice.name : { none: false, required: true, auto: undefined }[choice ?? 'auto'],
    choiceCount: 1,
    maxTokens: request.max_output_tokens ?? undefined,
    stopSequences: [],
    isReasoning: request.reasoning?.effort != null && request.reasoning.effort !== 'none',
    isJson: request.text?.format !== undefined && request.text.format.type !== 'text',
  };
}

type Item = Exclude<ResponseRequest['input'], string>[number];

const listParts = (item: Item) => ('content' in item && typeof item.content !== 'string' ? item.content : []);

function readItem(item: Item): string {
  if ('output' in item) return typeof item.output === 'string' ? item.output : JSON.stringify(item.output);
  if ('content' in item && typeof item.content === 'string') return item.content;
  return listParts(item)
    .flatMap((part) => ('text' in part ? [part.text] : []))
    .join(' ');
}
