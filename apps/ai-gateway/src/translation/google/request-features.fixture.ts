import type { JsonObject } from '../../formats/model-request.ts';
import { PDF, PIXEL, type RequestFeature, SCHEMA, ignored, refused, yes } from '../features.fixture.ts';

const hi = { role: 'user', parts: [{ text: 'Hi' }] };

/** The request that the members of a feature are added to. */
export const PLAIN_CONTENT: JsonObject = { contents: [hi] };

const user = (part: JsonObject) => ({ contents: [{ role: 'user', parts: [{ text: 'Hi' }, part] }] });
const OPENAPI_SCHEMA = {
  type: 'OBJECT',
  properties: { city: { type: 'STRING', nullable: true } },
  required: ['city'],
  propertyOrdering: ['city'],
};
const CONVERTED = { type: 'object', properties: { city: { type: ['string', 'null'] } }, required: ['city'] };
const declaration = { name: 'weather', description: 'd', parametersJsonSchema: SCHEMA };
const tools = [{ functionDeclarations: [declaration] }];
const choice = (functionCallingConfig: JsonObject) => ({ tools, toolConfig: { functionCallingConfig } });
const config = (generationConfig: JsonObject) => ({ generationConfig });
const TEXT = { type: 'text', text: 'Hi' };
const openAiUser = (part: JsonObject) => yes({ messages: [{ role: 'user', content: [TEXT, part] }] });
const anthropicUser = openAiUser;
const url = 'https://example.com/a.png';
const loop = (...results: JsonObject[]) => ({
  tools,
  contents: [
    hi,
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'weather', args: { city: 'Rome' } }, thoughtSignature: 'AAAA' },
        { functionCall: { name: 'weather', args: { city: 'Oslo' } } },
      ],
    },
    { role: 'user', parts: results.map((functionResponse) => ({ functionResponse })) },
  ],
});
const called = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});

/** The features of `generateContent` and `streamGenerateContent`. */
export const GOOGLE_FEATURES: readonly RequestFeature[] = [
  {
    feature: '`systemInstruction`',
    members: { systemInstruction: { parts: [{ text: 'Hi' }] } },
    to: {
      openai: yes({
        messages: [
          { role: 'system', content: 'Hi' },
          { role: 'user', content: 'Hi' },
        ],
      }),
      anthropic: yes({ system: [TEXT] }),
    },
  },
  {
    feature: 'Names in snake case',
    members: { system_instruction: { parts: [{ text: 'Hi' }] }, generation_config: { max_output_tokens: 50 } },
    to: { openai: yes({ max_completion_tokens: 50 }), anthropic: yes({ max_tokens: 50, system: [TEXT] }) },
  },
  {
    feature: 'Several turns, also of one role after another',
    members: { contents: [hi, hi, { role: 'model', parts: [{ text: 'A' }] }, hi] },
    to: {
      openai: yes({ messages: [{ role: 'user', content: [TEXT, TEXT] }, { role: 'assistant', content: 'A' }, {}] }),
      anthropic: yes({ messages: [{ role: 'user', content: [TEXT, TEXT] }, { role: 'assistant' }, { role: 'user' }] }),
    },
  },
  {
    feature: 'A conversation that ends with the model',
    members: { contents: [hi, { role: 'model', parts: [{ text: 'A' }] }] },
    to: { openai: refused('contents'), anthropic: refused('contents') },
  },
  {
    feature: 'Images in base64',
    members: user({ inlineData: { mimeType: 'image/png', data: PIXEL } }),
    to: {
      openai: openAiUser({ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }),
      anthropic: anthropicUser({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }),
    },
  },
  {
    feature: 'Images by public URL',
    members: user({ fileData: { mimeType: 'image/png', fileUri: url } }),
    to: {
      openai: openAiUser({ type: 'image_url', image_url: { url } }),
      anthropic: anthropicUser({ type: 'image', source: { type: 'url', url } }),
    },
  },
  {
    feature: 'Uploaded files, videos by URL',
    members: user({ fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } }),
    to: { openai: refused('contents.0.parts.1'), anthropic: refused('contents.0.parts.1') },
  },
  {
    feature: 'Documents: PDF in base64',
    members: user({ inlineData: { mimeType: 'application/pdf', data: PDF } }),
    to: {
      openai: openAiUser({
        type: 'file',
        file: { filename: 'document.pdf', file_data: `data:application/pdf;base64,${PDF}` },
      }),
      anthropic: anthropicUser({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: PDF },
      }),
    },
  },
  {
    feature: 'Audio in WAV and MP3',
    members: user({ inlineData: { mimeType: 'audio/wav', data: PIXEL } }),
    to: {
      openai: openAiUser({ type: 'input_audio', input_audio: { data: PIXEL, format: 'wav' } }),
      anthropic: refused('contents.0.parts.1'),
    },
  },
  {
    feature: 'Video and other media',
    members: user({ inlineData: { mimeType: 'video/mp4', data: PIXEL } }),
    to: { openai: refused('contents.0.parts.1'), anthropic: refused('contents.0.parts.1') },
  },
  {
    feature: 'Functions with a JSON schema',
    members: { tools },
    to: {
      openai: yes({ tools: [{ function: { name: 'weather', description: 'd', parameters: SCHEMA } }] }),
      anthropic: yes({ tools: [{ name: 'weather', description: 'd', input_schema: SCHEMA }] }),
    },
  },
  {
    feature: 'Functions with a schema of OpenAPI',
    members: { tools: [{ functionDeclarations: [{ name: 'weather', parameters: OPENAPI_SCHEMA }] }] },
    rule: 'The schema becomes JSON Schema; `propertyOrdering` and `example` are left out.',
    to: {
      openai: yes({ tools: [{ function: { name: 'weather', parameters: CONVERTED } }] }),
      anthropic: yes({ tools: [{ name: 'weather', input_schema: CONVERTED }] }),
    },
  },
  {
    feature: 'Names of functions with dots and colons',
    members: { tools: [{ functionDeclarations: [{ ...declaration, name: 'a.b' }] }] },
    to: {
      openai: refused('tools.0.functionDeclarations.0.name'),
      anthropic: refused('tools.0.functionDeclarations.0.name'),
    },
  },
  {
    feature: 'Google Search, code execution and other tools of the vendor',
    members: { tools: [{ googleSearch: {} }] },
    to: { openai: refused('tools.0.googleSearch'), anthropic: refused('tools.0.googleSearch') },
  },
  {
    feature: 'Calling mode `AUTO`',
    members: choice({ mode: 'AUTO' }),
    rule: 'It is the default.',
    to: { openai: ignored, anthropic: ignored },
  },
  {
    feature: 'Calling mode `NONE`',
    members: choice({ mode: 'NONE' }),
    to: { openai: yes({ tool_choice: 'none' }), anthropic: yes({ tool_choice: { type: 'none' } }) },
  },
  {
    feature: 'Calling mode `ANY`',
    members: choice({ mode: 'ANY' }),
    to: { openai: yes({ tool_choice: 'required' }), anthropic: yes({ tool_choice: { type: 'any' } }) },
  },
  {
    feature: 'Calling mode `ANY` with one allowed function',
    members: choice({ mode: 'ANY', allowedFunctionNames: ['weather'] }),
    to: {
      openai: yes({ tool_choice: { type: 'function', function: { name: 'weather' } } }),
      anthropic: yes({ tool_choice: { type: 'tool', name: 'weather' } }),
    },
  },
  {
    feature: 'Calling mode `ANY` with several allowed functions',
    members: choice({ mode: 'ANY', allowedFunctionNames: ['weather', 'time'] }),
    to: {
      openai: refused('toolConfig.functionCallingConfig.allowedFunctionNames'),
      anthropic: refused('toolConfig.functionCallingConfig.allowedFunctionNames'),
    },
  },
  {
    feature: 'Calling mode `VALIDATED`',
    members: choice({ mode: 'VALIDATED' }),
    rule: 'All functions are strict.',
    to: {
      openai: yes({ tools: [{ function: { strict: true } }] }),
      anthropic: yes({ tools: [{ strict: true }] }),
    },
  },
  {
    feature: 'Calls of functions and their responses, without ids',
    members: loop({ name: 'weather', response: { output: 'sun' } }, { name: 'weather', response: { degrees: 5 } }),
    rule: 'Calls get ids by their order. A response belongs to the first open call of its function.',
    to: {
      openai: yes({
        messages: [
          {},
          { role: 'assistant', content: null, tool_calls: [called('call_1', 'Rome'), called('call_2', 'Oslo')] },
          { role: 'tool', tool_call_id: 'call_1', content: 'sun' },
          { role: 'tool', tool_call_id: 'call_2', content: '{"degrees":5}' },
        ],
      }),
      anthropic: yes({
        messages: [
          {},
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rome' } },
              { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Oslo' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'sun' }] },
              { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: '{"degrees":5}' }] },
            ],
          },
        ],
      }),
    },
  },
  {
    feature: 'Responses with an error',
    members: loop({ name: 'weather', response: { error: 'no' } }, { name: 'weather', response: { output: 'snow' } }),
    rule: 'For OpenAI, the text begins with `Error: `, unless it says so itself.',
    to: {
      openai: yes({ messages: [{}, {}, { role: 'tool', content: 'Error: no' }, {}] }),
      anthropic: yes({ messages: [{}, {}, { content: [{ type: 'tool_result', is_error: true }, {}] }] }),
    },
  },
  {
    feature: 'Thoughts and signatures of earlier answers',
    members: { contents: [hi, { role: 'model', parts: [{ text: 'x', thought: true }, { text: 'A' }] }, hi] },
    rule: 'Only their vendor can read them, so they are left out.',
    to: {
      openai: yes({ messages: [{}, { role: 'assistant', content: 'A' }, {}] }),
      anthropic: yes({ messages: [{}, { role: 'assistant', content: [{ type: 'text', text: 'A' }] }, {}] }),
    },
  },
  {
    feature: '`maxOutputTokens`',
    members: config({ maxOutputTokens: 50 }),
    rule: 'Anthropic requires one: without it, the longest output of the model applies.',
    to: { openai: yes({ max_completion_tokens: 50 }), anthropic: yes({ max_tokens: 50 }) },
  },
  {
    feature: 'Temperature to 1',
    members: config({ temperature: 0.5 }),
    to: { openai: yes({ temperature: 0.5 }), anthropic: yes({ temperature: 0.5 }) },
  },
  {
    feature: 'Temperature above 1',
    members: config({ temperature: 1.5 }),
    to: { openai: yes({ temperature: 1.5 }), anthropic: refused('generationConfig.temperature') },
  },
  {
    feature: '`topP`',
    members: config({ topP: 0.5 }),
    to: { openai: yes({ top_p: 0.5 }), anthropic: yes({ top_p: 0.5 }) },
  },
  {
    feature: '`topK`',
    members: config({ topK: 5 }),
    to: { openai: refused('generationConfig.topK'), anthropic: yes({ top_k: 5 }) },
  },
  {
    feature: 'Up to 4 stop sequences',
    members: config({ stopSequences: ['a'] }),
    to: { openai: yes({ stop: ['a'] }), anthropic: yes({ stop_sequences: ['a'] }) },
  },
  {
    feature: '5 stop sequences',
    members: config({ stopSequences: ['a', 'b', 'c', 'd', 'e'] }),
    to: {
      openai: refused('generationConfig.stopSequences'),
      anthropic: yes({ stop_sequences: ['a', 'b', 'c', 'd', 'e'] }),
    },
  },
  {
    feature: 'Seed',
    members: config({ seed: 7 }),
    to: { openai: yes({ seed: 7 }), anthropic: refused('generationConfig.seed') },
  },
  {
    feature: 'Penalties',
    members: config({ presencePenalty: 0.5 }),
    to: { openai: yes({ presence_penalty: 0.5 }), anthropic: refused('generationConfig.presencePenalty') },
  },
  {
    feature: 'Several candidates',
    members: config({ candidateCount: 2 }),
    to: { openai: yes({ n: 2 }), anthropic: refused('generationConfig.candidateCount') },
  },
  {
    feature: 'Log probabilities',
    members: config({ responseLogprobs: true }),
    to: {
      openai: refused('generationConfig.responseLogprobs'),
      anthropic: refused('generationConfig.responseLogprobs'),
    },
  },
  {
    feature: 'JSON mode',
    members: config({ responseMimeType: 'application/json' }),
    to: {
      openai: yes({ response_format: { type: 'json_object' } }),
      anthropic: refused('generationConfig.responseMimeType'),
    },
  },
  {
    feature: 'JSON schema of the answer',
    members: config({ responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
    rule: 'OpenAI and Anthropic accept a part of JSON Schema and refuse the rest.',
    to: {
      openai: yes({ response_format: { type: 'json_schema', json_schema: { schema: SCHEMA, strict: true } } }),
      anthropic: yes({ output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
    },
  },
  {
    feature: 'Enumerations as text (`text/x.enum`)',
    members: config({ responseMimeType: 'text/x.enum' }),
    to: {
      openai: refused('generationConfig.responseMimeType'),
      anthropic: refused('generationConfig.responseMimeType'),
    },
  },
  {
    feature: 'Images and audio as answers',
    members: config({ responseModalities: ['TEXT', 'IMAGE'] }),
    to: {
      openai: refused('generationConfig.responseModalities.1'),
      anthropic: refused('generationConfig.responseModalities.1'),
    },
  },
  {
    feature: 'Thinking budget 0',
    members: config({ thinkingConfig: { thinkingBudget: 0 } }),
    to: { openai: yes({ reasoning_effort: 'none' }), anthropic: yes({ thinking: { type: 'disabled' } }) },
  },
  {
    feature: 'Thinking budget from 1,024 tokens',
    members: config({ thinkingConfig: { thinkingBudget: 4_000, includeThoughts: true } }),
    rule: 'For OpenAI: `low` to 1,024 tokens, `medium` to 8,192, else `high`, as Google publishes.',
    to: {
      openai: yes({ reasoning_effort: 'medium' }),
      anthropic: yes({ thinking: { type: 'enabled', budget_tokens: 4_000, display: 'summarized' } }),
    },
  },
  {
    feature: 'Smaller thinking budgets',
    members: config({ thinkingConfig: { thinkingBudget: 100 } }),
    to: {
      openai: yes({ reasoning_effort: 'low' }),
      anthropic: refused('generationConfig.thinkingConfig.thinkingBudget'),
    },
  },
  {
    feature: 'Thinking level `high`',
    members: config({ thinkingConfig: { thinkingLevel: 'HIGH' } }),
    to: {
      openai: yes({ reasoning_effort: 'high' }),
      anthropic: yes({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }),
    },
  },
  {
    feature: 'Thinking level `minimal`',
    members: config({ thinkingConfig: { thinkingLevel: 'minimal' } }),
    to: {
      openai: yes({ reasoning_effort: 'minimal' }),
      anthropic: refused('generationConfig.thinkingConfig.thinkingLevel'),
    },
  },
  {
    feature: 'Safety settings `BLOCK_NONE` and `OFF`',
    members: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    rule: 'The filters of the provider stay as they are.',
    to: { openai: ignored, anthropic: ignored },
  },
  {
    feature: 'Stricter safety settings',
    members: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_LOW_AND_ABOVE' }] },
    to: { openai: refused('safetySettings.0.threshold'), anthropic: refused('safetySettings.0.threshold') },
  },
  {
    feature: 'Cached content',
    members: { cachedContent: 'cachedContents/1' },
    to: { openai: refused('cachedContent'), anthropic: refused('cachedContent') },
  },
  {
    feature: 'Labels',
    members: { labels: { team: 'a' } },
    rule: 'They identify the request for the vendor.',
    to: { openai: ignored, anthropic: ignored },
  },
  {
    feature: 'Service tier `standard`',
    members: { serviceTier: 'standard' },
    to: { openai: yes({ service_tier: 'default' }), anthropic: yes({ service_tier: 'standard_only' }) },
  },
  {
    feature: 'Service tier `flex`',
    members: { serviceTier: 'flex' },
    to: { openai: yes({ service_tier: 'flex' }), anthropic: refused('serviceTier') },
  },
  {
    feature: 'Members that the gateway does not know',
    members: { brandNew: 1 },
    to: { openai: refused('brandNew'), anthropic: refused('brandNew') },
  },
];
