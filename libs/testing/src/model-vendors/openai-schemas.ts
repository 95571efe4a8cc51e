import { z } from 'zod';

const unchecked = z.unknown().optional();
const fields = <const N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, unchecked])) as Record<N, typeof unchecked>;

const text = z.object({ type: z.literal('text'), text: z.string() });
const image = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string().regex(/^(data|https?):/) }),
});
const audio = z.object({
  type: z.literal('input_audio'),
  input_audio: z.object({ data: z.string(), format: z.string() }),
});
const file = z.object({ type: z.literal('file'), file: z.record(z.string(), z.unknown()) });
const refusal = z.object({ type: z.literal('refusal'), refusal: z.string() });
const part = z.discriminatedUnion('type', [text, image, audio, file, refusal]);
const content = z.union([z.string(), z.array(part).min(1)]);

const call = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer', 'user']), content }),
  z.object({ role: z.literal('assistant'), content: content.nullish(), tool_calls: z.array(call).min(1).optional() }),
  z.object({ role: z.literal('tool'), content, tool_call_id: z.string() }),
  z.object({ role: z.literal('function'), content: z.string(), name: z.string() }),
]);

const functionTool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[\w-]{1,64}$/),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

const positive = z.number().int().positive().nullish();
const format = z.object({ type: z.enum(['text', 'json_object', 'json_schema']) });

/** Body of `POST /v1/chat/completions`. */
export const chatSchema = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional(), include_obfuscation: unchecked }).nullish(),
  n: z.number().int().min(1).max(128).nullish(),
  max_tokens: positive,
  max_completion_tokens: positive,
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  tools: z.array(functionTool).min(1).optional(),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.object({ function: z.object({ name: z.string() }) })])
    .optional(),
  response_format: format.optional(),
  reasoning_effort: z.string().nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  ...fields('audio', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs', 'metadata'),
  ...fields('modalities', 'moderation', 'parallel_tool_calls', 'prediction', 'presence_penalty', 'prompt_cache_key'),
  ...fields('prompt_cache_options', 'prompt_cache_retention', 'safety_identifier', 'seed', 'store', 'top_logprobs'),
  ...fields('user', 'verbosity', 'web_search_options'),
});

const inputPart = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['input_text', 'output_text']), text: z.string() }),
  z.object({ type: z.literal('input_image'), image_url: z.string().nullish(), file_id: z.string().nullish() }),
  z.object({ type: z.literal('input_file') }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);
const inputItem = z.union([
  z.object({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: z.union([z.string(), z.array(inputPart)]),
  }),
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: z.unknown() }),
  z.object({ type: z.literal('reasoning'), id: z.string().optional(), summary: z.array(z.unknown()) }),
]);
const responseTool = z.union([
  z.object({ type: z.literal('function'), name: z.string(), parameters: z.record(z.string(), z.unknown()).nullish() }),
  z.object({ type: z.enum(['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'mcp', 'custom']) }),
]);

/** Body of `POST /v1/responses`. */
export const responseSchema = z.strictObject({
  model: z.string(),
  input: z.union([z.string(), z.array(inputItem)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.number().int().min(16).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  tools: z.array(responseTool).nullish(),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.looseObject({ name: z.string().optional() })])
    .optional(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).optional() }).optional(),
  reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  ...fields('access_programs', 'background', 'context_management', 'conversation', 'image', 'include'),
  ...fields('max_tool_calls', 'metadata', 'moderation', 'parallel_tool_calls', 'previous_response_id', 'prompt'),
  ...fields('prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'safety_identifier', 'store'),
  ...fields('stream_options', 'top_logprobs', 'top_p', 'truncation', 'user'),
});

const numbers = z.array(z.number().int()).min(1);

/** Body of `POST /v1/embeddings`. */
export const embeddingSchema = z.strictObject({
  model: z.string(),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2048), numbers, z.array(numbers).min(1)]),
  dimensions: z.number().int().positive().optional(),
  encoding_format: z.enum(['float', 'base64']).optional(),
  user: z.string().optional(),
});

export type ChatRequest = z.infer<typeof chatSchema>;
export type ResponseRequest = z.infer<typeof responseSchema>;
