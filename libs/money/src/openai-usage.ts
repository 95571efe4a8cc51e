import type { Usage } from './buckets.ts';
import { Counts, Total } from './counts.ts';

/** The names of the counts in Chat Completions and Embeddings, and in Responses. */
const CHAT = {
  prompt: 'prompt_tokens',
  promptDetails: 'prompt_tokens_details',
  completion: 'completion_tokens',
  completionDetails: 'completion_tokens_details',
} as const;
const RESPONSES = {
  prompt: 'input_tokens',
  promptDetails: 'input_tokens_details',
  completion: 'output_tokens',
  completionDetails: 'output_tokens_details',
} as const;
type Names = typeof CHAT | typeof RESPONSES;

/**
 * Reads `usage` of Chat Completions, Embeddings and Responses. Cached, cache-write and audio tokens
 * are part of the prompt; reasoning and audio are part of the completion. Parts that exceed the
 * total are reduced in this order. Compatible servers send the names of both APIs, one set zero or
 * null: the set with the larger totals is read, with its details. With equal totals one set may
 * lack details, so the larger count of each detail is read.
 *
 * Tool calls are not part of the vendor's object: a gateway counts them in the response and adds
 * `tool_calls: {web_search, file_search}`.
 */
export function openaiUsage(raw: Readonly<Record<string, unknown>>): Usage | undefined {
  const counts = new Counts();
  const total = ({ prompt, completion }: Names) => counts.at(raw, prompt) + counts.at(raw, completion);
  const [chat, responses] = [total(CHAT), total(RESPONSES)];
  const names = responses > chat ? RESPONSES : CHAT;
  const detail = (details: 'promptDetails' | 'completionDetails', name: string): bigint => {
    const count = counts.at(raw, names[details], name);
    if (responses !== chat) return count;
    const other = counts.at(raw, RESPONSES[details], name);
    return other > count ? other : count;
  };
  const prompt = new Total(counts.at(raw, names.prompt));
  const cacheRead = prompt.take(detail('promptDetails', 'cached_tokens'));
  const cacheWrite = prompt.take(detail('promptDetails', 'cache_write_tokens'));
  const audioInput = prompt.take(detail('promptDetails', 'audio_tokens'));
  const completion = new Total(counts.at(raw, names.completion));
  const reasoning = completion.take(detail('completionDetails', 'reasoning_tokens'));
  const audioOutput = completion.take(detail('completionDetails', 'audio_tokens'));
  const usage: Usage = {
    input: prompt.rest(),
    cache_read: cacheRead,
    cache_write: cacheWrite,
    audio_input: audioInput,
    output: completion.rest(),
    reasoning,
    audio_output: audioOutput,
    web_search: counts.at(raw, 'tool_calls', 'web_search'),
    file_search: counts.at(raw, 'tool_calls', 'file_search'),
  };
  return counts.any ? usage : undefined;
}
