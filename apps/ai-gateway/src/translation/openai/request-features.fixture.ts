import type { JsonObject } from '../../formats/model-request.ts';
import { PDF, PIXEL, type RequestFeature, SCHEMA, ignored, refused, yes } from '../features.fixture.ts';

/** The request that the members of a feature are added to. */
export const PLAIN_CHAT: JsonObject = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

const hi = { role: 'user', content: 'Hi' };
const TEXT = { type: 'text', text: 'Hi' };
const user = (...parts: JsonObject[]) => ({ messages: [{ role: 'user', content: [TEXT, ...parts] }] });
const functionTool = { type: 'function', function: { name: 'weather', description: 'd', parameters: SCHEMA } };
const tools = [functionTool];
const anthropicTool = { name: 'weather', description: 'd', input_schema: SCHEMA };
const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});
const toolLoop = [
  hi,
  { role: 'assistant', content: null, tool_calls: [call('c1', 'Rome'), call('c2', 'Oslo')] },
  { role: 'tool', tool_call_id: 'c1', content: 'sun' },
  { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'snow' }] },
];
const url = 'https://example.com/a.png';

/** The features of chat completions. */
export const OPENAI_FEATURES: readonly RequestFeature[] = [
  {
    feature: 'System and developer messages at the beginning',
    members: {
      messages: [{ role: 'system', content: 'A' }, { role: 'developer', content: [{ type: 'text', text: 'B' }] }, hi],
    },
    to: {
      google: yes({ systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] } }),
      anthropic: yes({
        system: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
        messages: [{ role: 'user', content: [TEXT] }],
      }),
    },
  },
  {
    feature: 'System messages between others',
    members: {
      messages: [
        hi,
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'A' },
        { role: 'system', content: 'B' },
      ],
    },
    to: {
      google: refused('messages'),
      anthropic: yes({
        messages: [
          { role: 'user' },
          { role: 'assistant' },
          { role: 'user' },
          { role: 'system', content: [{ type: 'text', text: 'B' }] },
        ],
      }),
    },
  },
  {
    feature: 'Several turns, also of one role after another',
    members: { messages: [hi, hi, { role: 'assistant', content: 'A' }, { role: 'assistant', content: 'B' }, hi] },
    to: {
      google: yes({
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }, { text: 'Hi' }] },
          { role: 'model', parts: [{ text: 'A' }, { text: 'B' }] },
          { role: 'user' },
        ],
      }),
      anthropic: yes({
        messages: [
          { role: 'user', content: [TEXT, TEXT] },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'A' },
              { type: 'text', text: 'B' },
            ],
          },
          { role: 'user', content: [TEXT] },
        ],
      }),
    },
  },
  {
    feature: 'A conversation that ends with the assistant',
    members: { messages: [hi, { role: 'assistant', content: 'A' }] },
    to: { google: refused('messages'), anthropic: refused('messages') },
  },
  {
    feature: 'A conversation that begins with the assistant',
    members: { messages: [{ role: 'assistant', content: 'A' }, hi] },
    to: { google: yes({ contents: [{ role: 'model' }, { role: 'user' }] }), anthropic: refused('messages') },
  },
  {
    feature: 'Refusals of earlier answers',
    members: { messages: [hi, { role: 'assistant', content: null, refusal: 'No' }, hi] },
    rule: 'They become texts of the assistant.',
    to: {
      google: yes({ contents: [{}, { role: 'model', parts: [{ text: 'No' }] }, {}] }),
      anthropic: yes({
        messages: [{ role: 'user' }, { role: 'assistant', content: [{ type: 'text', text: 'No' }] }, { role: 'user' }],
      }),
    },
  },
  {
    feature: 'Names of speakers',
    members: { messages: [{ ...hi, name: 'Bo' }] },
    to: { google: refused('messages.0.name'), anthropic: refused('messages.0.name') },
  },
  {
    feature: 'Images in base64 (PNG, JPEG, GIF, WebP)',
    members: user({ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, detail: 'low' } }),
    rule: '`detail` is a hint about the cost of an image; the provider chooses.',
    to: {
      google: yes({ contents: [{ parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }] }] }),
      anthropic: yes({
        messages: [
          { content: [TEXT, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }] },
        ],
      }),
    },
  },
  {
    feature: 'Images by URL',
    members: user({ type: 'image_url', image_url: { url } }),
    to: {
      google: refused('messages.0.content.1.image_url.url'),
      anthropic: yes({ messages: [{ content: [TEXT, { type: 'image', source: { type: 'url', url } }] }] }),
    },
  },
  {
    feature: 'Documents: PDF in base64',
    members: user({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } }),
    to: {
      google: yes({
        contents: [{ parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'application/pdf', data: PDF } }] }],
      }),
      anthropic: yes({
        messages: [
          {
            content: [
              TEXT,
              {
                type: 'document',
                title: 'a.pdf',
                source: { type: 'base64', media_type: 'application/pdf', data: PDF },
              },
            ],
          },
        ],
      }),
    },
  },
  {
    feature: 'Uploaded files',
    members: user({ type: 'file', file: { file_id: 'file-1' } }),
    to: {
      google: refused('messages.0.content.1.file.file_id'),
      anthropic: refused('messages.0.content.1.file.file_id'),
    },
  },
  {
    feature: 'Audio',
    members: user({ type: 'input_audio', input_audio: { data: PIXEL, format: 'wav' } }),
    to: {
      google: yes({ contents: [{ parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'audio/wav', data: PIXEL } }] }] }),
      anthropic: refused('messages.0.content.1'),
    },
  },
  {
    feature: 'Functions',
    members: { tools },
    to: {
      google: yes({
        tools: [{ functionDeclarations: [{ name: 'weather', description: 'd', parametersJsonSchema: SCHEMA }] }],
      }),
      anthropic: yes({ tools: [anthropicTool] }),
    },
  },
  {
    feature: 'Strict functions',
    members: { tools: [{ ...functionTool, function: { ...functionTool.function, strict: true } }] },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } } }),
      anthropic: yes({ tools: [{ ...anthropicTool, strict: true }] }),
    },
  },
  {
    feature: 'Custom tools and tools of the vendor',
    members: { tools: [{ type: 'custom', custom: { name: 'x' } }] },
    to: { google: refused('tools.0.type'), anthropic: refused('tools.0.type') },
  },
  {
    feature: 'The older `functions`',
    members: { functions: [{ name: 'x' }] },
    to: { google: refused('functions'), anthropic: refused('functions') },
  },
  {
    feature: 'Web search',
    members: { web_search_options: {} },
    to: { google: refused('web_search_options'), anthropic: refused('web_search_options') },
  },
  {
    feature: 'Tool choice `auto`',
    members: { tools, tool_choice: 'auto' },
    to: { google: ignored, anthropic: ignored },
    rule: 'It is the default.',
  },
  {
    feature: 'Tool choice `none`',
    members: { tools, tool_choice: 'none' },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'NONE' } } }),
      anthropic: yes({ tool_choice: { type: 'none' } }),
    },
  },
  {
    feature: 'Tool choice `required`',
    members: { tools, tool_choice: 'required' },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
      anthropic: yes({ tool_choice: { type: 'any' } }),
    },
  },
  {
    feature: 'Tool choice: one function',
    members: { tools, tool_choice: { type: 'function', function: { name: 'weather' } } },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } } }),
      anthropic: yes({ tool_choice: { type: 'tool', name: 'weather' } }),
    },
  },
  {
    feature: 'Tool choice: some of the tools',
    members: { tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } },
    to: { google: refused('tool_choice.type'), anthropic: refused('tool_choice.type') },
  },
  {
    feature: 'No parallel calls of tools',
    members: { tools, parallel_tool_calls: false },
    to: {
      google: refused('parallel_tool_calls'),
      anthropic: yes({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    },
  },
  {
    feature: 'Calls of tools and their results',
    members: { messages: toolLoop, tools },
    to: {
      google: yes({
        contents: [
          { role: 'user' },
          {
            role: 'model',
            parts: [
              {
                functionCall: { id: 'c1', name: 'weather', args: { city: 'Rome' } },
                thoughtSignature: 'skip_thought_signature_validator',
              },
              { functionCall: { id: 'c2', name: 'weather', args: { city: 'Oslo' } } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'c1', name: 'weather', response: { output: 'sun' } } },
              { functionResponse: { id: 'c2', name: 'weather', response: { output: 'snow' } } },
            ],
          },
        ],
      }),
      anthropic: yes({
        messages: [
          { role: 'user' },
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Rome' } },
              { type: 'tool_use', id: 'c2', name: 'weather', input: { city: 'Oslo' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'sun' }] },
              { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'snow' }] },
            ],
          },
        ],
      }),
    },
  },
  {
    feature: 'Limit of the output',
    members: { max_completion_tokens: 50 },
    rule: 'Anthropic requires one: without it, the longest output of the model applies.',
    to: { google: yes({ generationConfig: { maxOutputTokens: 50 } }), anthropic: yes({ max_tokens: 50 }) },
  },
  {
    feature: 'The older `max_tokens`',
    members: { max_tokens: 50 },
    to: { google: yes({ generationConfig: { maxOutputTokens: 50 } }), anthropic: yes({ max_tokens: 50 }) },
  },
  {
    feature: 'Temperature to 1',
    members: { temperature: 0.5 },
    to: { google: yes({ generationConfig: { temperature: 0.5 } }), anthropic: yes({ temperature: 0.5 }) },
  },
  {
    feature: 'Temperature above 1',
    members: { temperature: 1.5 },
    to: { google: yes({ generationConfig: { temperature: 1.5 } }), anthropic: refused('temperature') },
  },
  {
    feature: '`top_p`',
    members: { top_p: 0.5 },
    to: { google: yes({ generationConfig: { topP: 0.5 } }), anthropic: yes({ top_p: 0.5 }) },
  },
  {
    feature: 'Stop sequences',
    members: { stop: ['a', 'b'] },
    to: {
      google: yes({ generationConfig: { stopSequences: ['a', 'b'] } }),
      anthropic: yes({ stop_sequences: ['a', 'b'] }),
    },
  },
  {
    feature: 'Seed',
    members: { seed: 7 },
    to: { google: yes({ generationConfig: { seed: 7 } }), anthropic: refused('seed') },
  },
  {
    feature: 'Presence penalty',
    members: { presence_penalty: 0.5 },
    to: { google: yes({ generationConfig: { presencePenalty: 0.5 } }), anthropic: refused('presence_penalty') },
  },
  {
    feature: 'Frequency penalty',
    members: { frequency_penalty: 0.5 },
    to: { google: yes({ generationConfig: { frequencyPenalty: 0.5 } }), anthropic: refused('frequency_penalty') },
  },
  {
    feature: 'Several answers',
    members: { n: 2 },
    to: { google: yes({ generationConfig: { candidateCount: 2 } }), anthropic: refused('n') },
  },
  {
    feature: 'Log probabilities',
    members: { logprobs: true },
    to: { google: refused('logprobs'), anthropic: refused('logprobs') },
  },
  {
    feature: 'Biases of tokens',
    members: { logit_bias: { '50256': -100 } },
    to: { google: refused('logit_bias'), anthropic: refused('logit_bias') },
  },
  {
    feature: 'JSON mode',
    members: { response_format: { type: 'json_object' } },
    to: {
      google: yes({ generationConfig: { responseMimeType: 'application/json' } }),
      anthropic: refused('response_format'),
    },
  },
  {
    feature: 'JSON schema of the answer',
    members: { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA, strict: true } } },
    rule: 'Name, description and `strict` stay here: the answer always matches the schema.',
    to: {
      google: yes({ generationConfig: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA } }),
      anthropic: yes({ output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
    },
  },
  {
    feature: 'Reasoning effort `none`',
    members: { reasoning_effort: 'none' },
    to: {
      google: yes({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }),
      anthropic: yes({ thinking: { type: 'disabled' } }),
    },
  },
  {
    feature: 'Reasoning effort `minimal`',
    members: { reasoning_effort: 'minimal' },
    to: {
      google: yes({ generationConfig: { thinkingConfig: { thinkingLevel: 'minimal' } } }),
      anthropic: refused('reasoning_effort'),
    },
  },
  {
    feature: 'Reasoning effort `low` to `high`',
    members: { reasoning_effort: 'high' },
    to: {
      google: yes({ generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } }),
      anthropic: yes({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }),
    },
  },
  {
    feature: 'Reasoning effort `xhigh` and `max`',
    members: { reasoning_effort: 'max' },
    to: {
      google: refused('reasoning_effort'),
      anthropic: yes({ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }),
    },
  },
  {
    feature: 'Reasoning and a forced tool',
    members: { reasoning_effort: 'high', tools, tool_choice: 'required' },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
      anthropic: refused('reasoning_effort'),
    },
  },
  {
    feature: 'Verbosity',
    members: { verbosity: 'low' },
    to: { google: refused('verbosity'), anthropic: refused('verbosity') },
  },
  {
    feature: 'Audio answers',
    members: { modalities: ['text', 'audio'] },
    to: { google: refused('modalities.1'), anthropic: refused('modalities.1') },
  },
  {
    feature: 'Stored answers',
    members: { store: true },
    to: { google: refused('store'), anthropic: refused('store') },
  },
  {
    feature: 'Service tier `auto`',
    members: { service_tier: 'auto' },
    to: { google: ignored, anthropic: ignored },
    rule: 'It is the default.',
  },
  {
    feature: 'Service tier `default`',
    members: { service_tier: 'default' },
    to: { google: yes({ serviceTier: 'standard' }), anthropic: yes({ service_tier: 'standard_only' }) },
  },
  {
    feature: 'Service tier `flex`',
    members: { service_tier: 'flex' },
    to: { google: yes({ serviceTier: 'flex' }), anthropic: refused('service_tier') },
  },
  {
    feature: '`user`, `safety_identifier`, `metadata`',
    members: { user: 'u', safety_identifier: 's', metadata: { a: 'b' } },
    rule: 'They identify the request for the vendor.',
    to: { google: ignored, anthropic: ignored },
  },
  {
    feature: 'Prompt caching and predictions',
    members: { prompt_cache_key: 'k', prompt_cache_retention: '24h', prediction: { type: 'content', content: 'x' } },
    rule: 'They change speed and cost, not the answer.',
    to: { google: ignored, anthropic: ignored },
  },
  {
    feature: 'Streams',
    members: { stream: true, stream_options: { include_usage: true } },
    to: { google: yes({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }), anthropic: yes({ stream: true }) },
  },
  {
    feature: 'Members that the gateway does not know',
    members: { brand_new: 1 },
    to: { google: refused('brand_new'), anthropic: refused('brand_new') },
  },
];
