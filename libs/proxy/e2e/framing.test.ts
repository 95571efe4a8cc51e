/**
 * Two sessions send right and wrong messages at the same time, with equal ids and in pieces, to
 * servers that answer in pieces too. Each answer must reach its own session, and nothing may stay
 * open.
 */
import { request as send, type RequestListener } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { encodeEvent } from '@gatehouse/mcp/event-stream';
import type { RequestId } from '@gatehouse/mcp/errors';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { OpenProcess, ProxyOptions } from '../src/pipeline/options.ts';
import { CedarAuthorizer } from '../src/authorization/cedar-authorizer.ts';
import { type Message, RawClient, startProxy, waitUntil } from './harness.ts';
import { readBody, startUpstream } from './passed-through.ts';
import { type PostedMessage, startSseServer, StreamClient } from './sse-server.ts';

/** How a server writes its answers, drawn for each run. */
interface Manner {
  readonly lineEnd: string;
  /** The bytes of each piece. */
  readonly piece: number;
  /** Text between the messages. */
  readonly noise: string;
  /** Whether each answer comes twice, and first with its id as a text. */
  readonly isRepeated: boolean;
  /** Whether answers wait for later requests and come in the reverse order. */
  readonly isReversed: boolean;
}

/** One thing that a client sends. */
type Step =
  | {
      readonly kind: 'call';
      readonly session: 0 | 1;
      readonly id: RequestId;
      readonly text: string;
      readonly cut: number;
    }
  | { readonly kind: 'wrong'; readonly session: 0 | 1; readonly body: Buffer; readonly cut: number };

const ids = fc.constantFrom<RequestId>(0, 1, -1, '1', '', 'é', Number.MAX_SAFE_INTEGER, '__proto__');
const session = fc.constantFrom<0 | 1>(0, 1);
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\n',
    '\r\n',
    'data: x\n\n',
    '\u2028',
    '\ud83d',
    'x'.repeat(70_000),
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ),
);
const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const valid = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const wrong = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '{',
      '[]',
      'null',
      '1e999',
      '"x"',
      valid.slice(0, -1),
      `${valid}${valid}`,
      `[${valid}]`,
      `\uFEFF${valid}`,
    ],
    ...['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}'],
    ...['{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ...['{"jsonrpc":"2.0","id":1,"id":2,"method":1}', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}'],
    ...['{"jsonrpc":"2.0","result":{}}', '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}'],
    ...['{"jsonrpc":"2.0","id":9,"result":{}}', '{"jsonrpc":"2.0","id":"1","error":{"code":1e99,"message":""}}'],
    ...['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}'],
    ...['{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}'],
    deep('[', ']', 5_000),
    deep('{"a":', '}', 5_000),
    `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep('[', ']', 300)}}}`,
  ),
  fc.json(),
  fc.string({ unit: 'binary' }),
);
const body = fc.oneof(
  wrong.map((each) => Buffer.from(each)),
  fc.uint8Array().map((each) => Buffer.from(each)),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('call' as const), session, id: ids, text, cut: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wrong' as const), session, body, cut: fc.nat() }) },
);
const manner: fc.Arbitrary<Manner> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  piece: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(100_000)),
  noise: fc.constantFrom(
    '',
    'starting…',
    '{"jsonrpc":"2.0","id":99999,"result":{}}',
    '{"jsonrpc":"2.0","id":"1","result":{}}',
    '{',
    '\u001b[0m',
  ),
  isReversed: fc.boolean(),
  isRepeated: fc.boolean(),
});

/** The result of a call: its own arguments. */
const createResult = ({ params }: Message) => ({
  content: [{ type: 'text', text: JSON.stringify(params?.['arguments']) }],
});

function* cutPieces(bytes: Buffer, size: number): Generator<Buffer> {
  // Pieces of large texts are larger, so that a run ends soon.
  const length = Math.max(size, Math.ceil(bytes.length / 2_000));
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** A stdio server that answers in the current manner. */
function createProcess(readManner: () => Manner): { openProcess: OpenProcess } {
  const openProcess: OpenProcess = () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let waiting: Message[] = [];
    let rest = '';
    const flush = () => {
      const { isReversed, isRepeated, lineEnd, noise, piece } = readManner();
      const ordered = isReversed ? waiting.toReversed() : waiting;
      const answers = isRepeated
        ? ordered.flatMap((each) => [{ id: String(each.id), result: {} }, each, each])
        : ordered;
      waiting = [];
      for (const answer of answers) {
        // A line of JSON ends with a line feed.
        const lines = `${noise}\n${JSON.stringify({ jsonrpc: '2.0', ...answer })}${lineEnd === '\r' ? '\n' : lineEnd}`;
        for (const part of cutPieces(Buffer.from(lines), piece)) output.write(part);
      }
    };
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const message of lines.map((line) => JSON.parse(line) as Message)) {
        const { id, method, params } = message;
        if (id === undefined || method === undefined) continue;
        const info = { capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
        const result =
          method === 'initialize' ? { protocolVersion: params?.['protocolVersion'], ...info } : createResult(message);
        if (waiting.push({ id, result }) === 1) setImmediate(flush);
      }
    });
    const stop = () => {
      output.end();
      return Promise.resolve();
    };
    return Promise.resolve({ input, output, stop });
  };
  return { openProcess };
}

/** An HTTP server with sessions that answers in the current manner, as JSON or as a stream. */
const createHandler = (readManner: () => Manner): RequestListener => {
  let sessions = 0;
  return (request, response) => {
    void readBody(request).then((received) => {
      const { lineEnd, piece, noise, isReversed } = readManner();
      let message: Message;
      try {
        message = (JSON.parse(received) as Message | null) ?? {};
      } catch {
        return response.writeHead(400).end();
      }
      const { id, method } = message;
      if (method === 'initialize') response.setHeader('mcp-session-id', `session-${++sessions}`);
      if (id === undefined || method === undefined) return response.writeHead(202).end();
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: createResult(message) });
      response.writeHead(200, { 'content-type': isReversed ? 'text/event-stream' : 'application/json' });
      const frames = `: ${noise}\n\n${encodeEvent({ data: answer })}`.replaceAll('\n', lineEnd);
      for (const part of cutPieces(Buffer.from(isReversed ? frames : answer), piece)) response.write(part);
      return response.end();
    });
  };
};

/** Sends a body in two pieces, and returns the status and the messages of the answer. */
function sendBody(client: RawClient, bytes: Buffer, cut: number): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...client.headers,
    };
    const request = send(client.url, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    request.on('error', reject);
    const at = cut % (bytes.length + 1);
    request.write(bytes.subarray(0, at));
    setImmediate(() => request.end(bytes.subarray(at)));
  });
}

/** The data of the only event, or the whole body. */
const readData = (received: string): string => {
  const data = received.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data: {'));
  return data.length === 0 ? received : data.map((line) => line.slice('data: '.length)).join('\n');
};

const WRONG_STATUSES = [200, 202, 400, 403];

async function take(client: RawClient, index: number, each: Step): Promise<void> {
  if (each.kind === 'wrong') {
    const { status } = await sendBody(client, each.body, each.cut);
    expect(WRONG_STATUSES).toContain(status);
    return;
  }
  const args = { session: each.session, index, text: each.text };
  const call = { jsonrpc: '2.0', id: each.id, method: 'tools/call', params: { name: 'echo', arguments: args } };
  const { status, text: received } = await sendBody(client, Buffer.from(JSON.stringify(call)), each.cut);
  expect(status).toBe(200);
  const answer = JSON.parse(readData(received)) as Message;
  expect(answer.id).toBe(each.id);
  if (answer.error === undefined) expect(answer.result?.content?.[0]?.text).toBe(JSON.stringify(args));
  else expect(answer.error.message).toBe('A request with this id is still being answered.');
}

const permitAll = ['permit(principal, action, resource);'];
const passes: Partial<ProxyOptions> = {
  tools: { overrides: { other: { name: 'renamed' } } },
  authorizer: new CedarAuthorizer({ policies: permitAll }, () => undefined),
  audit: { component: 'x', includeRequestData: true, includeResponseData: true, write: () => undefined },
};

describe.each([
  ['a stdio bridge', 'stdio', {}],
  ['a stdio bridge with passes', 'stdio', passes],
  ['a pass-through', 'http', {}],
  ['a pass-through with passes', 'http', passes],
] as const)('%s', (_, kind, options) => {
  it('delivers each answer to its session, and nothing stays open', async () => {
    let current: Manner = { lineEnd: '\n', piece: 100_000, noise: '', isReversed: false, isRepeated: false };
    const readManner = () => current;
    const server = kind === 'http' ? await startUpstream(createHandler(readManner)) : undefined;
    const upstream: ProxyOptions['upstream'] =
      server === undefined ? { kind: 'stdio', ...createProcess(readManner) } : { kind: 'http', url: server.url };
    const { proxy, url } = await startProxy({ upstream, ...options });
    const clients = [await RawClient.open(url), await RawClient.open(url)] as const;
    const property = fc.asyncProperty(manner, fc.array(step, { maxLength: 12 }), async (drawn, steps) => {
      current = drawn;
      await Promise.all(steps.map((each, index) => take(clients[each.session], index, each)));
      // Its record would grow with each run.
      server?.requests.splice(0);
    });
    await fc.assert(property, { numRuns: Math.ceil(60 * effort), seed, endOnFailure: true });
    await waitUntil(
      () => proxy.health(),
      ({ in_flight }) => in_flight === 0,
    );
    expect(proxy.health()).toMatchObject({ sessions: 2, ...(kind === 'stdio' && { processes: 1 }) });
  }, 1_000_000);
});

describe.each([
  ['without passes', {}],
  ['with passes', passes],
] as const)('an SSE server %s', (_, options) => {
  it('sends each answer on the stream of its session, and nothing else', async () => {
    let current: Manner = { lineEnd: '\n', piece: 100_000, noise: '', isReversed: false, isRepeated: false };
    let waiting: PostedMessage[] = [];
    const flush = () => {
      const { isReversed, lineEnd, noise, piece } = current;
      const posted = isReversed ? waiting.toReversed() : waiting;
      waiting = [];
      for (const { message, stream } of posted) {
        const data = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: createResult(message) });
        const frames = `: ${noise}\n\n${encodeEvent({ event: 'message', data })}`.replaceAll('\n', lineEnd);
        for (const part of cutPieces(Buffer.from(frames), piece)) stream.write(part);
      }
    };
    const answer = (posted: PostedMessage) => {
      if (waiting.push(posted) === 1) setImmediate(flush);
    };
    const { origin, sessions, posted, requests } = await startSseServer({ answer, options });
    const clients = [await StreamClient.open(origin), await StreamClient.open(origin)] as const;
    const call = fc.record({ session, text });
    const property = fc.asyncProperty(manner, fc.array(call, { maxLength: 12 }), async (drawn, calls) => {
      current = drawn;
      // Both sessions have the same ids.
      const own = [0, 1].map((at) => calls.filter((each) => each.session === at));
      const read = async (at: 0 | 1) => {
        const texts = new Map<RequestId, string | undefined>();
        for (let left = own[at]?.length ?? 0; left > 0; left--) {
          const message = await clients[at].next();
          texts.set(message?.id ?? '', message?.result?.content?.[0]?.text);
        }
        return texts;
      };
      const sent = own.flatMap((each) =>
        each.map(async (args, id) => {
          const params = { name: 'echo', arguments: args };
          const response = await clients[args.session].post({ id, method: 'tools/call', params });
          await response.arrayBuffer();
          return response.status;
        }),
      );
      const [first, second] = await Promise.all([read(0), read(1)]);
      expect((await Promise.all(sent)).every((status) => status === 202)).toBe(true);
      for (const [at, texts] of [first, second].entries())
        expect([...texts].toSorted(([one], [other]) => Number(one) - Number(other))).toEqual(
          own[at]?.map((args, id) => [id, JSON.stringify(args)]),
        );
      // Its records would grow with each run.
      for (const record of [posted, requests]) record.splice(0);
    });
    await fc.assert(property, { numRuns: Math.ceil(60 * effort), seed, endOnFailure: true });
    expect(sessions()).toBe(2);
  }, 1_000_000);
});
