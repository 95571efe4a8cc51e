import { z } from 'zod';

/** Members that cannot change the answer. The page about translation has the rule of each. */
const ignored = z.unknown().optional();

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const refusalPart = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
const userPart = z.discriminatedUnion('type', [
  textPart,
  z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: z.string(), detail: ignored }) }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: z.string(), format: z.string() }),
  }),
  z.strictObject({
    type: z.literal('file'),
    file: z.strictObject({ file_data: z.string().optional(), filename: z.string().optional() }),
  }),
]);

const texts = z.union([z.string(), z.array(textPart)]);

const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string(), parsed_arguments: ignored }),
  index: ignored,
  extra_content: z
    .looseObject({ google: z.looseObject({ thought_signature: z.string().optional() }).nullish() })
    .nullish(),
});

/** SDKs send an assistant message back as they have received it. */
const assistantMessage = z.strictObject({
  role: z.literal('assistant'),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, refusalPart]))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
  audio: z.null().optional(),
  function_call: z.null().optional(),
  annotations: ignored,
  parsed: ignored,
});

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: texts }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(userPart)]) }),
  assistantMessage,
  z.strictObject({ role: z.literal('tool'), content: texts, tool_call_id: z.string() }),
]);

const jsonSchema = z.record(z.string(), z.unknown());

const tool = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name: z.string(),
      description: z.string().nullish(),
      parameters: jsonSchema.nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
  ]),
]);

const responseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string(),
      description: ignored,
      schema: jsonSchema.nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const count = z.number().int().nullish();

/** A request of chat completions with the members that are translated or ignored. */
export const chatSchema = z.strictObject({
  model: z.string(),
  messages: z.array(message),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().nullish(), include_obfuscation: ignored }).nullish(),
  max_tokens: count,
  max_completion_tokens: count,
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  seed: count,
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  n: count,
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex']).nullish(),
  // The default of these members is the behaviour of the other formats.
  logprobs: z.literal(false).nullish(),
  top_logprobs: z.literal(0).nullish(),
  verbosity: z.literal('medium').nullish(),
  store: z.literal(false).nullish(),
  modalities: z.array(z.literal('text')).nullish(),
  metadata: ignored,
  user: ignored,
  safety_identifier: ignored,
  prediction: ignored,
  prompt_cache_key: ignored,
  prompt_cache_retention: ignored,
  prompt_cache_options: ignored,
});

export type OpenAiChat = z.infer<typeof chatSchema>;
export type OpenAiMessage = OpenAiChat['messages'][number];
