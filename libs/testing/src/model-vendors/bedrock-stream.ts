import { encodeChunk, encodeException } from '../amazon-event-stream.ts';
import type { Reply } from './reply.ts';

const PADDING = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/**
 * Turns a stream of the Messages API into an Amazon event stream. Each event is a chunk, with a
 * padding of another length; the last one has metrics of the invocation. An error is an exception.
 */
export function encodeReply(reply: Reply): Reply {
  if (reply.kind === 'json') return reply;
  let chunks = 0;
  const encode = (text: string): Buffer => {
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? '';
    const event = JSON.parse(json) as { readonly type: string; readonly error?: { readonly message: string } };
    if (event.type === 'error') return encodeException('serviceUnavailableException', event.error?.message ?? '');
    chunks += 1;
    const padding = PADDING.slice(0, (chunks * 7) % PADDING.length);
    return encodeChunk(event.type === 'message_stop' ? addMetrics(event, reply.usage) : json, padding);
  };
  return { ...reply, contentType: 'application/vnd.amazon.eventstream', encode };
}

function addMetrics(event: object, usage: unknown): string {
  const { input_tokens: inputTokenCount, output_tokens: outputTokenCount } = usage as Record<string, number>;
  const metrics = { inputTokenCount, outputTokenCount, invocationLatency: 12, firstByteLatency: 3 };
  return JSON.stringify({ ...event, 'amazon-bedrock-invocationMetrics': metrics });
}
