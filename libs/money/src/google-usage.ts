import type { Usage } from './buckets.ts';
import { Counts, Total } from './counts.ts';

/**
 * Reads `usageMetadata` of generateContent. Cached content is part of prompt plus tool-use prompt.
 * Thoughts are not part of candidates. The modality details give the audio counts; those of the
 * prompt include cached audio.
 *
 * Searches are not part of the vendor's object: a gateway counts the queries of `groundingMetadata`
 * and adds `tool_calls: {grounding_search}`.
 */
export function googleUsage(raw: Readonly<Record<string, unknown>>): Usage | undefined {
  const counts = new Counts();
  const prompt = new Total(counts.at(raw, 'promptTokenCount') + counts.at(raw, 'toolUsePromptTokenCount'));
  const cached = new Total(prompt.take(counts.at(raw, 'cachedContentTokenCount')));
  const cachedAudio = cached.take(counts.ofModality(raw, 'cacheTokensDetails', 'AUDIO'));
  const audio =
    counts.ofModality(raw, 'promptTokensDetails', 'AUDIO') +
    counts.ofModality(raw, 'toolUsePromptTokensDetails', 'AUDIO');
  const audioInput = prompt.take(audio > cachedAudio ? audio - cachedAudio : 0n);
  const candidates = new Total(counts.at(raw, 'candidatesTokenCount'));
  const audioOutput = candidates.take(counts.ofModality(raw, 'candidatesTokensDetails', 'AUDIO'));
  const usage: Usage = {
    input: prompt.rest(),
    cache_read: cached.rest(),
    cached_audio: cachedAudio,
    audio_input: audioInput,
    output: candidates.rest(),
    reasoning: counts.at(raw, 'thoughtsTokenCount'),
    audio_output: audioOutput,
    grounding_search: counts.at(raw, 'tool_calls', 'grounding_search'),
  };
  return counts.any ? usage : undefined;
}
