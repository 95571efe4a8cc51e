import { z } from 'zod';

/** Members that cannot change the answer. The page about translation has the rule of each. */
const ignored = z.unknown().optional();
const record = z.record(z.string(), z.unknown());

const blob = z.strictObject({ mimeType: z.string(), data: z.string(), displayName: z.string().optional() });

const part = z.strictObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  inlineData: blob.optional(),
  fileData: z
    .strictObject({ mimeType: z.string().optional(), fileUri: z.string(), displayName: z.string().optional() })
    .optional(),
  functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: record.optional() }).optional(),
  functionResponse: z
    .strictObject({
      id: z.string().optional(),
      name: z.string(),
      response: record,
      parts: z.array(z.strictObject({ inlineData: blob })).optional(),
    })
    .optional(),
  mediaResolution: ignored,
});

const content = z.strictObject({ role: z.enum(['user', 'model', 'function']).optional(), parts: z.array(part) });

const tool = z.strictObject({
  functionDeclarations: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string().optional(),
        parameters: record.optional(),
        parametersJsonSchema: record.optional(),
      }),
    )
    .optional(),
});

const count = z.number().int().optional();

const generationConfig = z.strictObject({
  candidateCount: count,
  maxOutputTokens: count,
  stopSequences: z.array(z.string()).optional(),
  temperature: z.number().optional(),
  topP: z.number().optional(),
  topK: count,
  seed: count,
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  responseMimeType: z.enum(['text/plain', 'application/json']).optional(),
  responseSchema: record.optional(),
  responseJsonSchema: record.optional(),
  responseModalities: z.array(z.literal('TEXT')).optional(),
  responseLogprobs: z.literal(false).optional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.number().int().optional(),
      thinkingLevel: z.string().optional(),
    })
    .optional(),
  mediaResolution: ignored,
});

/** A request of `generateContent` with the members that are translated or ignored. */
export const contentSchema = z.strictObject({
  model: ignored,
  contents: z.array(content),
  systemInstruction: content.optional(),
  tools: z.array(tool).optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z
        .strictObject({
          mode: z.enum(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED']).optional(),
          allowedFunctionNames: z.array(z.string()).optional(),
        })
        .optional(),
    })
    .optional(),
  generationConfig: generationConfig.optional(),
  // The other formats have no filters that a request can make stricter.
  safetySettings: z
    .array(z.strictObject({ category: z.string(), threshold: z.enum(['BLOCK_NONE', 'OFF']) }))
    .optional(),
  serviceTier: z.string().optional(),
  store: z.literal(false).optional(),
  labels: ignored,
});

export type GoogleChat = z.infer<typeof contentSchema>;
export type GoogleContent = GoogleChat['contents'][number];
export type GooglePart = GoogleContent['parts'][number];
