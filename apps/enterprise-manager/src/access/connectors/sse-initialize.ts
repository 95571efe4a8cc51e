import type { Egress } from '@gatehouse/egress/egress';

const MAX_WAITING_TEXT = 1024 * 1024;

/** An event of a stream: its name (default `message`) and its data. */
interface StreamEvent {
  name: string;
  data: string;
}

/**
 * Sends `initialize` over the HTTP+SSE transport of MCP 2024-11-05: the stream begins with the
 * address for messages, and contains the response. An address on another origin is refused.
 *
 * @throws Error if the server does not follow the protocol
 */
export async function initializeOverSse(url: URL, fetch: Egress['fetch']): Promise<void> {
  const ending = new AbortController();
  try {
    const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: ending.signal });
    if (
      !response.ok ||
      response.body === null ||
      !response.headers.get('content-type')?.startsWith('text/event-stream')
    )
      throw new Error('the response is not an event stream');
    const events = readEvents(response.body);
    const first = (await events.next()).value as StreamEvent | undefined;
    if (first?.name !== 'endpoint') throw new Error('the stream does not begin with its address for messages');
    const messages = new URL(first.data, url);
    if (messages.origin !== url.origin) throw new Error('the address for messages is on another origin');
    const sent = await fetch(messages, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2024-11-05',
          capabilities: {},
          clientInfo: { name: 'gatehouse-enterprise-manager', version: '0.1.0' },
        },
      }),
    });
    await sent.body?.cancel();
    if (!sent.ok) throw new Error('the message was refused');
    for await (const { name, data } of events) {
      if (name === 'message' && isInitialized(data)) return;
    }
    throw new Error('the stream ended without a response');
  } finally {
    ending.abort();
  }
}

function isInitialized(data: string): boolean {
  const message = JSON.parse(data) as { id?: unknown; result?: { protocolVersion?: unknown } };
  return message.id === 1 && typeof message.result?.protocolVersion === 'string';
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let text = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.length > MAX_WAITING_TEXT) throw new Error('an event of the stream is too long');
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event.data !== '') yield event;
    }
  }
}

function parseEvent(block: string): StreamEvent {
  const lines = block.split(/\r\n|\n|\r/);
  const getField = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  return { name: getField('event').at(-1) ?? 'message', data: getField('data').join('\n') };
}
