import { z } from 'zod';

const unchecked = z.unknown().optional();
const cache = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish();

const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1),
  cache_control: cache,
  citations: unchecked,
});
const imageSource = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.base64(),
  }),
  z.strictObject({ type: z.literal('url'), url: z.url() }),
  z.strictObject({ type: z.literal('file'), file_id: z.string() }),
]);
const image = z.strictObject({ type: z.literal('image'), source: imageSource, cache_control: cache });
const document = z.looseObject({ type: z.literal('document'), source: z.looseObject({ type: z.string() }) });
const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document]))]).optional(),
  is_error: z.boolean().optional(),
  cache_control: cache,
});
const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() });
const block = z.discriminatedUnion('type', [text, image, document, toolUse, toolResult, thinking, redacted]);

const message = z.strictObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string().min(1), z.array(block).min(1)]),
});

const customTool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: z.string().regex(/^[\w-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  cache_control: cache,
  ...Object.fromEntries(
    ['allowed_callers', 'defer_loading', 'eager_input_streaming', 'input_examples', 'strict'].map((name) => [
      name,
      unchecked,
    ]),
  ),
});
const serverTool = z.looseObject({ type: z.string().regex(/_\d{8}$/), name: z.string() });

const counted = {
  model: z.string().min(1),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(text)]).optional(),
  tools: z.array(z.union([customTool, serverTool])).optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: z.boolean().optional() }),
    ])
    .optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1024), display: unchecked }),
      z.strictObject({ type: z.enum(['disabled', 'adaptive', 'between_tools']), display: unchecked }),
    ])
    .optional(),
  cache_control: cache,
  output_config: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).optional(),
  speed: z.enum(['standard', 'fast']).nullish(),
  user_profile_id: unchecked,
  workspace_id: unchecked,
};

/** Body of `POST /v1/messages/count_tokens`. */
export const countSchema = z.strictObject(counted);

/** Body of `POST /v1/messages`. */
export const messageSchema = z.strictObject({
  ...counted,
  max_tokens: z.number().int().min(1),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string().min(1)).optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(0).optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  container: unchecked,
  diagnostics: unchecked,
  inference_geo: z.string().nullish(),
});

export type CountRequest = z.infer<typeof countSchema>;
export type MessageRequest = z.infer<typeof messageSchema>;
