// Usage: node provider.mjs PORT [EVENTS] [PAUSE_MS]
// A provider in the format of OpenAI that answers at once: a document with usage, or a stream of
// EVENTS tokens, with PAUSE_MS between two of them.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [port, events = 20, pause = 0] = process.argv.slice(2).map(Number);
const usage = { prompt_tokens: 12, completion_tokens: events, total_tokens: 12 + events };
const base = { id: 'chatcmpl-bench', created: 1_700_000_000, model: 'gpt-4o-mini' };
const document = JSON.stringify({
  ...base,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'lorem ipsum dolor sit amet '.repeat(4).trim() },
      finish_reason: 'stop',
    },
  ],
  usage,
});
const createEvent = (members) =>
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...members })}\n\n`;
const createDelta = (delta, finish_reason = null) => createEvent({ choices: [{ index: 0, delta, finish_reason }] });
const stream = [
  createDelta({ role: 'assistant', content: '' }),
  ...Array.from({ length: events }, (_, at) => createDelta({ content: `token${at} ` })),
  createDelta({}, 'stop'),
];
const usageEvent = createEvent({ choices: [], usage });

createServer((request, response) => {
  // A pipe passes on the request that finds out whether it listens.
  if (request.method !== 'POST') {
    response.writeHead(404).end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => answer(JSON.parse(Buffer.concat(chunks).toString()), response));
}).listen(port, '127.0.0.1');

async function answer({ stream: isStream, stream_options }, response) {
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(document) });
    response.end(document);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of stream) {
    response.write(event);
    if (pause > 0) await sleep(pause);
  }
  if (stream_options?.include_usage === true) response.write(usageEvent);
  response.end('data: [DONE]\n\n');
}
