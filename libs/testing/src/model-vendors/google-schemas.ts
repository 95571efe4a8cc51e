import { z } from 'zod';

const unchecked = z.unknown().optional();
const record = z.record(z.string(), z.unknown());
/** Base64 of either alphabet, as Protocol Buffers accept it. The Python SDK sends that of URLs. */
const base64 = z.string().regex(/^[\w+/-]*={0,2}$/);
const bytes = z.strictObject({
  mimeType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
  data: base64,
  displayName: unchecked,
});

const part = z.strictObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  inlineData: bytes.optional(),
  fileData: z.strictObject({ mimeType: z.string().optional(), fileUri: z.string() }).optional(),
  functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: record.optional() }).optional(),
  functionResponse: z
    .strictObject({
      id: z.string().optional(),
      name: z.string(),
      response: record,
      parts: unchecked,
      scheduling: unchecked,
      willContinue: unchecked,
    })
    .optional(),
  executableCode: unchecked,
  codeExecutionResult: unchecked,
  toolCall: unchecked,
  toolResponse: unchecked,
  videoMetadata: unchecked,
  mediaResolution: unchecked,
  partMetadata: unchecked,
});

const content = z.strictObject({ role: z.enum(['user', 'model', 'function']).optional(), parts: z.array(part).min(1) });

const declaration = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][\w.:-]{0,127}$/),
  description: z.string().optional(),
  behavior: unchecked,
  parameters: record.optional(),
  parametersJsonSchema: record.optional(),
  response: unchecked,
  responseJsonSchema: unchecked,
});

const tool = z.strictObject({
  functionDeclarations: z.array(declaration).optional(),
  googleSearch: unchecked,
  googleSearchRetrieval: unchecked,
  codeExecution: unchecked,
  urlContext: unchecked,
  computerUse: unchecked,
  fileSearch: unchecked,
  googleMaps: unchecked,
  mcpServers: unchecked,
});

const names = (...list: string[]) => Object.fromEntries(list.map((name) => [name, unchecked]));

const generationConfig = z.strictObject({
  candidateCount: z.number().int().min(1).max(8).optional(),
  maxOutputTokens: z.number().int().min(1).optional(),
  stopSequences: z.array(z.string()).max(5).optional(),
  temperature: z.number().min(0).max(2).optional(),
  responseMimeType: z.enum(['text/plain', 'application/json', 'text/x.enum']).optional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.number().int().optional(),
      thinkingLevel: unchecked,
    })
    .optional(),
  ...names('topP', 'topK', 'seed', 'presencePenalty', 'frequencyPenalty', 'responseLogprobs', 'logprobs'),
  ...names('responseSchema', 'responseJsonSchema', 'responseModalities', 'speechConfig', 'imageConfig'),
  ...names('mediaResolution', 'enableEnhancedCivicAnswers', 'enableAffectiveDialog', 'audioTimestamp'),
});

/** Body of `:generateContent` and `:streamGenerateContent`, with names in camel case. */
export const generateSchema = z.strictObject({
  model: z.string().optional(),
  contents: z.array(content).min(1),
  systemInstruction: content.optional(),
  tools: z.array(tool).optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z
        .strictObject({
          mode: z.enum(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED']).optional(),
          allowedFunctionNames: z.array(z.string()).optional(),
          streamFunctionCallArguments: unchecked,
        })
        .optional(),
      retrievalConfig: unchecked,
      includeServerSideToolInvocations: unchecked,
    })
    .optional(),
  generationConfig: generationConfig.optional(),
  safetySettings: z
    .array(z.strictObject({ category: z.string(), threshold: z.string(), method: unchecked }))
    .optional(),
  cachedContent: z.string().optional(),
  serviceTier: z.string().optional(),
  store: unchecked,
});

/** Body of `:countTokens`. */
export const countTokensSchema = z.strictObject({
  contents: z.array(content).optional(),
  generateContentRequest: generateSchema.optional(),
});

/** Body of `:embedContent`. */
export const embedSchema = z.strictObject({
  model: z.string().optional(),
  content,
  taskType: z.string().optional(),
  title: z.string().optional(),
  outputDimensionality: z.number().int().positive().optional(),
  embedContentConfig: unchecked,
});

/** Body of `:batchEmbedContents`. */
export const batchEmbedSchema = z.strictObject({
  requests: z
    .array(embedSchema.extend({ model: z.string() }))
    .min(1)
    .max(100),
});

export type GenerateRequest = z.infer<typeof generateSchema>;
export type GoogleContent = z.infer<typeof content>;

/** Members whose names belong to the caller. */
const FOREIGN = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseJsonSchema',
  'responseSchema',
]);

/** Writes the names of fields in camel case. JSON of Protocol Buffers allows snake case, too. */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [camel, FOREIGN.has(camel) ? (member as unknown) : toCamelCase(member)];
    }),
  );
}
