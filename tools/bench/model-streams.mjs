// Usage: node tools/bench/model-streams.mjs [seconds] [rounds] [--check]
// Method and limits: docs/benchmarks.md#readers-of-model-streams.
import { URLSearchParams } from 'node:url';
import { messages } from '../../apps/ai-gateway/dist/formats/anthropic/messages.js';
import { streamGenerateContent } from '../../apps/ai-gateway/dist/formats/google/stream-generate-content.js';
import { chatCompletions } from '../../apps/ai-gateway/dist/formats/openai/chat-completions.js';
import { responses } from '../../apps/ai-gateway/dist/formats/openai/responses.js';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

/** The longest time of a reader for one event, in microseconds. */
const LIMIT_US = 5;
const EVENTS = 500;

const flags = process.argv.slice(2);
const [seconds = 1, rounds = 5] = flags.filter((flag) => !flag.startsWith('--')).map(Number);

const chatEvent = (n) =>
  `data: {"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"chat.completion.chunk","created":1741569952,"model":"gpt-5.4-2026-03-05","service_tier":"default","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"content":" w${n}"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"aBcDeFgH"}\n\n`;
const responseEvent = (n) =>
  `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":${n},"item_id":"msg_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b","output_index":0,"content_index":0,"delta":" w${n}","logprobs":[],"obfuscation":"aBcDeFgH"}\n\n`;
const messageEvent = (n) =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" w${n}"}}\n\n`;
const contentEvent = (n) =>
  `data: {"candidates": [{"content": {"parts": [{"text": " w${n} and some more words of a chunk"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 11,"candidatesTokenCount": ${n},"totalTokenCount": ${n + 11},"promptTokensDetails": [{"modality": "TEXT","tokenCount": 11}]},"modelVersion": "gemini-3.8-flash","responseId": "nJk4aZ-HLsyT1PIP5d2kqAk"}\r\n\r\n`;

const read = (operation, body, query = '') =>
  operation.readRequest({
    bytes: Buffer.from(JSON.stringify(body)),
    body,
    pathModel: 'm',
    query: new URLSearchParams(query),
  });
const silent = read(chatCompletions, { model: 'm', stream: true });
const asking = read(chatCompletions, { model: 'm', stream: true, stream_options: { include_usage: true } });
const message = read(messages, { model: 'm', stream: true });
const content = read(streamGenerateContent, {}, 'alt=sse');
const response = read(responses, { model: 'm', stream: true });

/** A reader that does nothing: the bytes pass. */
const createPassing = () => ({ push: (chunk) => chunk, report: {} });
/** A reader that parses each event of a chunk, as a gateway without a scanner does. */
const createParsing = () => ({
  push(chunk) {
    for (const event of chunk.toString().split(/\r?\n\r?\n/)) {
      const at = event.indexOf('{');
      if (at !== -1) JSON.parse(event.slice(at));
    }
    return chunk;
  },
  report: {},
});

const CASES = [
  { name: 'chat, usage requested', event: chatEvent, create: () => chatCompletions.createReader(asking) },
  { name: 'chat, usage removed', event: chatEvent, create: () => chatCompletions.createReader(silent) },
  { name: 'responses', event: responseEvent, create: () => responses.createReader(response) },
  { name: 'messages', event: messageEvent, create: () => messages.createReader(message) },
  { name: 'streamGenerateContent', event: contentEvent, create: () => streamGenerateContent.createReader(content) },
];

/** Splits a stream into chunks of `perChunk` events, or of `bytes` bytes. */
function createChunks(event, { perChunk, bytes }) {
  const events = Array.from({ length: EVENTS }, (_, n) => event(n));
  if (bytes === undefined)
    return Array.from({ length: EVENTS / perChunk }, (_, at) =>
      Buffer.from(events.slice(at * perChunk, (at + 1) * perChunk).join('')),
    );
  const stream = Buffer.from(events.join(''));
  return Array.from({ length: Math.ceil(stream.length / bytes) }, (_, at) =>
    stream.subarray(at * bytes, (at + 1) * bytes),
  );
}

/** @returns events in a second of the processor, whose other work does not count */
function measure(create, chunks) {
  const start = process.cpuUsage();
  const until = performance.now() + (seconds * 1_000) / rounds;
  let events = 0;
  while (performance.now() < until) {
    const reader = create();
    for (const chunk of chunks) reader.push(chunk);
    events += EVENTS;
  }
  const { user, system } = process.cpuUsage(start);
  return (events * 1e6) / (user + system);
}

const SPLITS = [
  { name: '1 event', perChunk: 1 },
  { name: '20 events', perChunk: 20 },
  { name: '100 bytes', bytes: 100 },
];
const rows = [];
let slowest = 0;
for (const { name, event, create } of CASES)
  for (const split of SPLITS) {
    const chunks = createChunks(event, split);
    const readers = { passing: createPassing, parsing: createParsing, reading: create };
    // A part of an event cannot be parsed.
    if (split.bytes !== undefined) delete readers.parsing;
    const results = Object.fromEntries(Object.keys(readers).map((key) => [key, []]));
    for (const make of Object.values(readers)) measure(make, chunks);
    for (let round = 0; round < rounds; round += 1)
      for (const [key, make] of Object.entries(readers)) results[key].push(measure(make, chunks));
    const passing = median(results.passing);
    const reading = median(results.reading);
    const added = 1e6 / reading - 1e6 / passing;
    slowest = Math.max(slowest, added);
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0) / EVENTS;
    rows.push([
      name,
      split.name,
      `${(reading / 1e6).toFixed(2)} M`,
      `${Math.round((reading * bytes) / 1e6)}`,
      added.toFixed(2),
      results.parsing === undefined ? '' : (1e6 / median(results.parsing) - 1e6 / passing).toFixed(2),
    ]);
  }
printTable(['Stream', 'Chunk', 'Events/s', 'MB/s', 'Added µs an event', 'JSON.parse µs an event'], rows);
if (flags.includes('--check') && slowest > LIMIT_US) {
  console.error(`a reader adds ${slowest.toFixed(2)} µs an event; the limit is ${LIMIT_US} µs`);
  process.exitCode = 1;
}
