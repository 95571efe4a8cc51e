import { z } from 'zod';

/** Members that cannot change the answer. The page about translation has the rule of each. */
const ignored = z.unknown().optional();

const text = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  cache_control: ignored,
  citations: ignored,
  parsed: ignored,
});

const image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    z.strictObject({ type: z.literal('url'), url: z.string() }),
  ]),
  cache_control: ignored,
});

const document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    z.strictObject({ type: z.literal('url'), url: z.string() }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
  ]),
  title: z.string().nullish(),
  context: z.null().optional(),
  citations: z.strictObject({ enabled: z.literal(false).optional() }).nullish(),
  cache_control: ignored,
});

const texts = z.union([z.string(), z.array(text)]);

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document]))]).optional(),
  is_error: z.boolean().optional(),
  cache_control: ignored,
});

const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  caller: z.strictObject({ type: z.literal('direct') }).nullish(),
  cache_control: ignored,
});

/** Thoughts of earlier answers; their signatures are for the vendor only. */
const thinking = z.looseObject({ type: z.literal('thinking') });
const redacted = z.looseObject({ type: z.literal('redacted_thinking') });

const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document, toolResult]))]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, toolUse, thinking, redacted]))]),
  }),
  z.strictObject({ role: z.literal('system'), content: texts }),
]);

const tool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.record(z.string(), z.unknown()),
  strict: z.boolean().nullish(),
  cache_control: ignored,
  eager_input_streaming: ignored,
});

const single = z.boolean().optional();
const toolChoice = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: single }),
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: single }),
]);

const display = z.enum(['summarized', 'omitted']).nullish();

/** A request of the Messages API with the members that are translated or ignored. */
export const messageSchema = z.strictObject({
  model: z.string(),
  max_tokens: z.number().int(),
  messages: z.array(message),
  system: texts.optional(),
  stream: z.boolean().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().int().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.number().int(), display }),
      z.strictObject({ type: z.literal('adaptive'), display }),
      z.strictObject({ type: z.literal('disabled') }),
    ])
    .nullish(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).nullish(),
    })
    .nullish(),
  service_tier: z.enum(['auto', 'standard_only']).nullish(),
  // Thoughts of earlier answers are left out anyway.
  context_management: z
    .strictObject({ edits: z.array(z.looseObject({ type: z.literal('clear_thinking_20251015') })) })
    .nullish(),
  // The default of these members is the behaviour of the other formats.
  speed: z.literal('standard').nullish(),
  inference_geo: z.literal('global').nullish(),
  metadata: ignored,
  cache_control: ignored,
});

export type AnthropicChat = z.infer<typeof messageSchema>;
export type AnthropicMessage = AnthropicChat['messages'][number];
