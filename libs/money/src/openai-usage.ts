import { Counts, Total } from './counts.ts';
import type { Usage } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * `usage` of Chat Completions and Embeddings (`prompt_tokens`, `completion_tokens`) and of Responses (`input_tokens`, `output_tokens`). Cached, cache-write and
 * audio tokens are inside the prompt, reasoning and audio inside the completion; where they contradict the total they are cut in this order. Compatible servers
 * send both pairs of names, one of them zero or null: the pair that reports more is read.
 *
 * Tool calls are not part of the vendor's object: a gateway counts them in the answer and adds `tool_calls: {web_search, file_search}`.
 */
export function openaiUsage(raw: Json): Usage | undefined {
  const counts = new Counts();
  const total = ([input, output]: Names) => counts.at(raw, `${input}_tokens`) + counts.at(raw, `${output}_tokens`);
  const [input, output] = total(RESPONSES) > total(CHAT) ? RESPONSES : CHAT;
  const prompt = new Total(counts.at(raw, `${input}_tokens`));
  const details = `${input}_tokens_details`;
  const cacheRead = prompt.take(counts.at(raw, details, 'cached_tokens'));
  const cacheWrite = prompt.take(counts.at(raw, details, 'cache_write_tokens'));
  const audioInput = prompt.take(counts.at(raw, details, 'audio_tokens'));
  const completion = new Total(counts.at(raw, `${output}_tokens`));
  const reasoning = completion.take(counts.at(raw, `${output}_tokens_details`, 'reasoning_tokens'));
  const audioOutput = completion.take(counts.at(raw, `${output}_tokens_details`, 'audio_tokens'));
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

type Names = readonly [input: string, output: string];
const CHAT: Names = ['prompt', 'completion'];
const RESPONSES: Names = ['input', 'output'];
