import { describe, expect, it } from '@jest/globals';
import { MessageStream } from '../formats/anthropic/message-stream.ts';
import { chatCompletions } from '../formats/openai/chat-completions.ts';
import { createReceived } from '../formats/read-response.fixture.ts';
import { EventStreamReader } from '../formats/readers/event-stream-reader.ts';
import { anthropicProvider } from './anthropic/anthropic-provider.ts';
import { openAiClient } from './openai/openai-client.ts';
import { PLAIN_CHAT } from './openai/request-features.fixture.ts';
import { TranslatedStream } from './translated-stream.ts';

const THOUGHT = Buffer.from(
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}\n\n',
);

function read(keepAliveMs: number): string {
  const request = chatCompletions.readRequest(createReceived({ ...PLAIN_CHAT, stream: true }));
  const client = openAiClient.createAnswers(request, openAiClient.readChat(request, 'anthropic'));
  const parts = { metering: new MessageStream(), provider: anthropicProvider, client, keepAliveMs };
  const bytes = new EventStreamReader(new TranslatedStream(parts), true).push(THOUGHT);
  return Buffer.from(bytes ?? []).toString();
}

describe('a translated stream', () => {
  it('tells a client that waits that the answer goes on, while the model thinks', () => {
    expect(read(0)).toBe(': keep-alive\n\n');
  });

  it('is silent for a client that has not waited', () => {
    expect(read(60_000)).toBe('');
  });
});
