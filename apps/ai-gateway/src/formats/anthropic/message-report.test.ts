import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../model-request.ts';
import { MessageReport } from './message-report.ts';

function take(...events: JsonObject[]): MessageReport {
  const report = new MessageReport();
  for (const event of events) report.takeEvent(event);
  return report;
}

const start = (usage?: JsonObject): JsonObject => ({
  type: 'message_start',
  message: { type: 'message', id: 'msg_1', model: 'claude-x', content: [], ...(usage && { usage }) },
});
const delta = (usage?: JsonObject): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  ...(usage && { usage }),
});
const text = (text: string): JsonObject => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } });

describe('MessageReport', () => {
  it('keeps the last value of each count, and counts of the start without a new value', () => {
    const report = take(
      start({
        input_tokens: 25,
        cache_read_input_tokens: 7,
        cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 2 },
        output_tokens: 1,
        service_tier: 'standard',
      }),
      delta({ output_tokens: 10, cache_read_input_tokens: null }),
      delta({ output_tokens: 30, input_tokens: 40, server_tool_use: { web_search_requests: 2 } }),
      delta({ output_tokens: 50, server_tool_use: { web_fetch_requests: 1 } }),
    );
    expect(report.usage).toEqual({
      input_tokens: 40,
      cache_read_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 2 },
      output_tokens: 50,
      service_tier: 'standard',
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
    });
    expect(report.promptUsage).toBeUndefined();
  });

  it('reports only the prompt while the output is a placeholder', () => {
    const report = take(start({ input_tokens: 25, cache_read_input_tokens: 7, output_tokens: 4 }), text('Hé'));
    expect(report).toMatchObject({
      usage: undefined,
      promptUsage: { input_tokens: 25, cache_read_input_tokens: 7 },
      outputBytes: 3,
    });
    expect(report.promptUsage).not.toHaveProperty('output_tokens');
  });

  it('adds the searches that it saw to the prompt of a broken stream', () => {
    const search = { type: 'content_block_start', content_block: { type: 'server_tool_use', name: 'web_search' } };
    const report = take(start({ input_tokens: 25, output_tokens: 1, server_tool_use: null }), search, search);
    expect(report.promptUsage).toEqual({ input_tokens: 25, server_tool_use: { web_search_requests: 2 } });
  });

  it('reports no usage that cannot be charged', () => {
    expect(take(start({ input_tokens: -1, output_tokens: 1 })).promptUsage).toBeUndefined();
    expect(take(start({ input_tokens: 1 }), delta({ output_tokens: 1e300 })).usage).toBeUndefined();
    expect(take(start(), delta()).usage).toBeUndefined();
  });

  it('counts the bytes of text, thinking, calls of tools and hidden thinking', () => {
    const block = (content_block: JsonObject): JsonObject => ({ type: 'content_block_start', content_block });
    const part = (delta: JsonObject): JsonObject => ({ type: 'content_block_delta', delta });
    const report = take(
      block({ type: 'thinking', thinking: '', signature: '' }),
      part({ type: 'thinking_delta', thinking: '12345' }),
      part({ type: 'signature_delta', signature: 'not counted' }),
      block({ type: 'thinking', thinking: '', signature: '' }),
      part({ type: 'signature_delta', signature: '123' }),
      block({ type: 'redacted_thinking', data: '12' }),
      block({ type: 'tool_use', name: 'ab', input: {} }),
      part({ type: 'input_json_delta', partial_json: '{"a":1}' }),
      part({ type: 'text_delta', text: 'é' }),
    );
    expect(report.outputBytes).toBe(5 + 3 + 2 + 4 + 7 + 2);
  });

  it('is complete at message_stop', () => {
    const events = [start({ input_tokens: 1, output_tokens: 1 }), { type: 'ping' }, { type: 'unknown_event' }, delta()];
    expect(take(...events).isComplete).toBe(false);
    expect(take(...events, { type: 'message_stop' })).toMatchObject({
      isComplete: true,
      model: 'claude-x',
      responseId: 'msg_1',
      finishReasons: ['end_turn'],
    });
  });

  it('keeps the type of an error in the stream, and not its message', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect(take(start(), error)).toMatchObject({ failure: 'overloaded_error', isComplete: false });
  });

  it('reads a whole message', () => {
    const report = new MessageReport();
    report.takeMessage({
      type: 'message',
      id: 'msg_1',
      model: 'claude-x',
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', name: 'ab', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 9 },
    });
    expect(report).toMatchObject({
      usage: { input_tokens: 3, output_tokens: 9 },
      isComplete: true,
      outputBytes: 5 + 9,
      finishReasons: ['tool_use'],
    });
  });

  it('ignores events of another form', () => {
    const odd: JsonObject[] = [
      {},
      { type: 'message_start' },
      { type: 'message_start', message: { usage: 5, id: 7 } },
      { type: 'content_block_start', content_block: null },
      { type: 'content_block_delta', delta: [] },
      { type: 'message_delta', usage: 'none', delta: 3 },
      { type: 'error', error: 'text' },
    ];
    expect(take(...odd)).toMatchObject({ usage: undefined, outputBytes: 0, failure: 'error' });
  });
});
