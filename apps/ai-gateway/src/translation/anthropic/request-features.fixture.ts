import type { JsonObject } from '../../formats/model-request.ts';
import { PDF, PIXEL, type RequestFeature, SCHEMA, ignored, refused, yes } from '../features.fixture.ts';

const hi = { role: 'user', content: 'Hi' };

/** The request that the members of a feature are added to. */
export const PLAIN_MESSAGE: JsonObject = { model: 'm', max_tokens: 5_000, messages: [hi] };

const TEXT = { type: 'text', text: 'Hi' };
const user = (...content: JsonObject[]) => ({ messages: [{ role: 'user', content: [TEXT, ...content] }] });
const customTool = { name: 'weather', description: 'd', input_schema: SCHEMA };
const tools = [customTool];
const openAiTool = { type: 'function', function: { name: 'weather', description: 'd', parameters: SCHEMA } };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
const url = 'https://example.com/a.png';
const use = (id: string, city: string) => ({ type: 'tool_use', id, name: 'weather', input: { city } });
const openAiCall = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});
const loop = (...results: JsonObject[]) => ({
  tools,
  messages: [
    hi,
    { role: 'assistant', content: [use('t1', 'Rome'), use('t2', 'Oslo')] },
    { role: 'user', content: results },
  ],
});
const result = (id: string, content: unknown, more: JsonObject = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});

/** The features of the Messages API. */
export const ANTHROPIC_FEATURES: readonly RequestFeature[] = [
  {
    feature: 'Instructions in `system`',
    members: { system: [{ ...TEXT, cache_control: { type: 'ephemeral' } }] },
    to: {
      google: yes({ systemInstruction: { parts: [{ text: 'Hi' }] } }),
      openai: yes({
        messages: [
          { role: 'system', content: 'Hi' },
          { role: 'user', content: 'Hi' },
        ],
      }),
    },
  },
  {
    feature: 'Messages with the role `system` between others',
    members: { messages: [hi, { role: 'system', content: 'B' }, hi] },
    to: { google: refused('messages'), openai: yes({ messages: [hi, { role: 'system', content: 'B' }, hi] }) },
  },
  {
    feature: 'Several turns, also of one role after another',
    members: { messages: [hi, hi, { role: 'assistant', content: 'A' }, hi] },
    to: {
      google: yes({
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }, { text: 'Hi' }] },
          { role: 'model', parts: [{ text: 'A' }] },
          { role: 'user' },
        ],
      }),
      openai: yes({ messages: [{ role: 'user', content: [TEXT, TEXT] }, { role: 'assistant', content: 'A' }, hi] }),
    },
  },
  {
    feature: 'A beginning of the answer (last message of the assistant)',
    members: { messages: [hi, { role: 'assistant', content: 'A' }] },
    to: { google: refused('messages'), openai: refused('messages') },
  },
  {
    feature: 'Images in base64',
    members: user(image),
    to: {
      google: yes({ contents: [{ parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }] }] }),
      openai: yes({
        messages: [{ content: [TEXT, { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }] }],
      }),
    },
  },
  {
    feature: 'Images by URL',
    members: user({ type: 'image', source: { type: 'url', url } }),
    to: {
      google: refused('messages.0.content.1'),
      openai: yes({ messages: [{ content: [TEXT, { type: 'image_url', image_url: { url } }] }] }),
    },
  },
  {
    feature: 'Uploaded files',
    members: user({ type: 'image', source: { type: 'file', file_id: 'f' } }),
    to: { google: refused('messages.0.content.1.source.type'), openai: refused('messages.0.content.1.source.type') },
  },
  {
    feature: 'Documents: PDF in base64',
    members: user({
      type: 'document',
      title: 'a.pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: PDF },
    }),
    to: {
      google: yes({
        contents: [{ parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'application/pdf', data: PDF } }] }],
      }),
      openai: yes({
        messages: [
          {
            content: [
              TEXT,
              { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
            ],
          },
        ],
      }),
    },
  },
  {
    feature: 'Documents by URL',
    members: user({ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }),
    to: { google: refused('messages.0.content.1'), openai: refused('messages.0.content.1') },
  },
  {
    feature: 'Documents: plain text',
    members: user({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A' } }),
    rule: 'They become texts.',
    to: {
      google: yes({ contents: [{ parts: [{ text: 'Hi' }, { text: 'A' }] }] }),
      openai: yes({ messages: [{ content: [TEXT, { type: 'text', text: 'A' }] }] }),
    },
  },
  {
    feature: 'Citations of documents',
    members: user({
      type: 'document',
      citations: { enabled: true },
      source: { type: 'text', media_type: 'text/plain', data: 'A' },
    }),
    to: {
      google: refused('messages.0.content.1.citations.enabled'),
      openai: refused('messages.0.content.1.citations.enabled'),
    },
  },
  {
    feature: 'Tools',
    members: { tools },
    to: {
      google: yes({
        tools: [{ functionDeclarations: [{ name: 'weather', description: 'd', parametersJsonSchema: SCHEMA }] }],
      }),
      openai: yes({ tools: [openAiTool] }),
    },
  },
  {
    feature: 'Strict tools',
    members: { tools: [{ ...customTool, strict: true }] },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } } }),
      openai: yes({ tools: [{ function: { name: 'weather', strict: true } }] }),
    },
  },
  {
    feature: 'Names of tools above 64 characters',
    members: { tools: [{ ...customTool, name: 'x'.repeat(65) }] },
    to: {
      google: yes({ tools: [{ functionDeclarations: [{ name: 'x'.repeat(65) }] }] }),
      openai: refused('tools.0.name'),
    },
  },
  {
    feature: 'Tools of the vendor, web search',
    members: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    to: { google: refused('tools.0.type'), openai: refused('tools.0.type') },
  },
  {
    feature: 'Tool choice `auto`',
    members: { tools, tool_choice: { type: 'auto' } },
    rule: 'It is the default.',
    to: { google: ignored, openai: ignored },
  },
  {
    feature: 'Tool choice `any`',
    members: { tools, tool_choice: { type: 'any' } },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
      openai: yes({ tool_choice: 'required' }),
    },
  },
  {
    feature: 'Tool choice `none`',
    members: { tools, tool_choice: { type: 'none' } },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'NONE' } } }),
      openai: yes({ tool_choice: 'none' }),
    },
  },
  {
    feature: 'Tool choice: one tool',
    members: { tools, tool_choice: { type: 'tool', name: 'weather' } },
    to: {
      google: yes({ toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } } }),
      openai: yes({ tool_choice: { type: 'function', function: { name: 'weather' } } }),
    },
  },
  {
    feature: '`disable_parallel_tool_use`',
    members: { tools, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    to: { google: refused('tool_choice.disable_parallel_tool_use'), openai: yes({ parallel_tool_calls: false }) },
  },
  {
    feature: 'Calls of tools and their results',
    members: loop(result('t1', 'sun'), result('t2', [{ type: 'text', text: 'snow' }]), { type: 'text', text: 'And?' }),
    to: {
      google: yes({
        contents: [
          { role: 'user' },
          {
            role: 'model',
            parts: [
              {
                functionCall: { id: 't1', name: 'weather', args: { city: 'Rome' } },
                thoughtSignature: 'skip_thought_signature_validator',
              },
              { functionCall: { id: 't2', name: 'weather' } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 't1', name: 'weather', response: { output: 'sun' } } },
              { functionResponse: { id: 't2', response: { output: 'snow' } } },
              { text: 'And?' },
            ],
          },
        ],
      }),
      openai: yes({
        messages: [
          hi,
          { role: 'assistant', content: null, tool_calls: [openAiCall('t1', 'Rome'), openAiCall('t2', 'Oslo')] },
          { role: 'tool', tool_call_id: 't1', content: 'sun' },
          { role: 'tool', tool_call_id: 't2', content: 'snow' },
          { role: 'user', content: 'And?' },
        ],
      }),
    },
  },
  {
    feature: 'Results with `is_error`',
    members: loop(result('t1', 'no', { is_error: true }), result('t2', 'snow')),
    rule: 'For OpenAI, the text begins with `Error: `, unless it says so itself.',
    to: {
      google: yes({
        contents: [{}, {}, { parts: [{ functionResponse: { id: 't1', response: { error: 'no' } } }, {}] }],
      }),
      openai: yes({ messages: [hi, {}, { role: 'tool', tool_call_id: 't1', content: 'Error: no' }, {}] }),
    },
  },
  {
    feature: 'Images in results',
    members: loop(result('t1', [image]), result('t2', 'snow')),
    to: {
      google: yes({
        contents: [
          {},
          {},
          {
            parts: [
              {
                functionResponse: {
                  id: 't1',
                  response: { output: '' },
                  parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }],
                },
              },
              {},
            ],
          },
        ],
      }),
      openai: refused('messages.2.content.0'),
    },
  },
  {
    feature: 'Thoughts of earlier answers',
    members: {
      messages: [hi, { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 's' }, TEXT] }, hi],
    },
    rule: 'Only their vendor can read them, so they are left out.',
    to: {
      google: yes({ contents: [{}, { role: 'model', parts: [{ text: 'Hi' }] }, {}] }),
      openai: yes({ messages: [hi, { role: 'assistant', content: 'Hi' }, hi] }),
    },
  },
  {
    feature: '`max_tokens`',
    members: { max_tokens: 50 },
    to: { google: yes({ generationConfig: { maxOutputTokens: 50 } }), openai: yes({ max_completion_tokens: 50 }) },
  },
  {
    feature: 'Temperature',
    members: { temperature: 0.5 },
    to: { google: yes({ generationConfig: { temperature: 0.5 } }), openai: yes({ temperature: 0.5 }) },
  },
  {
    feature: '`top_p`',
    members: { top_p: 0.5 },
    to: { google: yes({ generationConfig: { topP: 0.5 } }), openai: yes({ top_p: 0.5 }) },
  },
  {
    feature: '`top_k`',
    members: { top_k: 5 },
    to: { google: yes({ generationConfig: { topK: 5 } }), openai: refused('top_k') },
  },
  {
    feature: 'Up to 4 stop sequences',
    members: { stop_sequences: ['a'] },
    to: { google: yes({ generationConfig: { stopSequences: ['a'] } }), openai: yes({ stop: ['a'] }) },
  },
  {
    feature: 'More than 5 stop sequences',
    members: { stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'] },
    to: { google: refused('stop_sequences'), openai: refused('stop_sequences') },
  },
  {
    feature: 'Thinking disabled',
    members: { thinking: { type: 'disabled' } },
    to: {
      google: yes({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }),
      openai: yes({ reasoning_effort: 'none' }),
    },
  },
  {
    feature: 'Thinking with a budget',
    members: { thinking: { type: 'enabled', budget_tokens: 4_000 } },
    rule: 'For OpenAI: `low` to 1,024 tokens, `medium` to 8,192, else `high`, as Google publishes for its own translation.',
    to: {
      google: yes({ generationConfig: { thinkingConfig: { thinkingBudget: 4_000 } } }),
      openai: yes({ reasoning_effort: 'medium' }),
    },
  },
  {
    feature: 'Adaptive thinking',
    members: { thinking: { type: 'adaptive' } },
    rule: 'The model decides, as without the field. Thoughts are not shown.',
    to: { google: ignored, openai: ignored },
  },
  {
    feature: 'Effort',
    members: { output_config: { effort: 'high' } },
    to: {
      google: yes({ generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } }),
      openai: yes({ reasoning_effort: 'high' }),
    },
  },
  {
    feature: 'Efforts `xhigh` and `max`',
    members: { output_config: { effort: 'max' } },
    to: { google: refused('output_config.effort'), openai: yes({ reasoning_effort: 'max' }) },
  },
  {
    feature: 'JSON schema of the answer',
    members: { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
    to: {
      google: yes({ generationConfig: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA } }),
      openai: yes({
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA, strict: true } },
      }),
    },
  },
  {
    feature: 'Prompt caching (`cache_control`)',
    members: { messages: [{ role: 'user', content: [{ ...TEXT, cache_control: { type: 'ephemeral' } }] }] },
    rule: 'It changes speed and cost, not the answer.',
    to: { google: ignored, openai: ignored },
  },
  {
    feature: '`metadata`',
    members: { metadata: { user_id: 'u' } },
    rule: 'It identifies the user for the vendor.',
    to: { google: ignored, openai: ignored },
  },
  {
    feature: 'Service tier `auto`',
    members: { service_tier: 'auto' },
    rule: 'It is the default.',
    to: { google: ignored, openai: ignored },
  },
  {
    feature: 'Service tier `standard_only`',
    members: { service_tier: 'standard_only' },
    to: { google: yes({ serviceTier: 'standard' }), openai: yes({ service_tier: 'default' }) },
  },
  {
    feature: 'Context management: `clear_thinking`',
    members: { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } },
    rule: 'Thoughts of earlier answers are left out anyway.',
    to: { openai: ignored, google: ignored },
  },
  {
    feature: 'Containers, MCP servers, other context management',
    members: { mcp_servers: [] },
    to: { google: refused('mcp_servers'), openai: refused('mcp_servers') },
  },
  {
    feature: 'Streams',
    members: { stream: true },
    to: { google: yes({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }), openai: yes({ stream: true }) },
  },
  {
    feature: 'Members that the gateway does not know',
    members: { brand_new: 1 },
    to: { google: refused('brand_new'), openai: refused('brand_new') },
  },
];
