import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { modern, type RawAnswer } from './support/raw.ts';
import { reply, scripted, type ScriptedServer, stream } from './support/scripted.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

let world: World;
let gateway: Gateway;
let upstream: ScriptedServer;
let tokens: Record<'alice' | 'bob', string>;
let url: string;
/** Calls that wait for an answer at the upstream, by the id of their question. */
const waiting = new Map<unknown, { id: unknown; response: ServerResponse }>();
const received = { capabilities: [] as unknown[], answers: [] as unknown[], cancelled: 0 };

const QUESTION = {
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

/** A server with sessions. Its tool asks twice before it answers. */
const startUpstream = () =>
  scripted({
    initialize: ({ id, params }, response) => {
      received.capabilities.push(params?.['capabilities']);
      response.setHeader('mcp-session-id', `s${received.capabilities.length}`);
      reply(response, {
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'old', version: '1' },
        },
      });
    },
    'tools/list': () => ({ tools: ['only', 'other'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
    'tools/call': ({ id, params }, response, { headers }) => {
      const send = stream(response);
      const question = `${String(headers['mcp-session-id'])} ${String(id)} first`;
      waiting.set(question, { id, response });
      send({ id: question, method: 'elicitation/create', params: { ...QUESTION, tool: params?.['name'] } });
    },
    answer: (message, response) => {
      response.writeHead(202).end();
      const { result, error } = message as { result?: unknown; error?: unknown };
      received.answers.push(result ?? error);
      const call = waiting.get(message.id)!;
      waiting.delete(message.id);
      const write = (one: object) => call.response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...one })}\n\n`);
      if (String(message.id).endsWith('first')) {
        const second = `${String(message.id)} second`;
        waiting.set(second, call);
        write({ id: second, method: 'elicitation/create', params: QUESTION });
        return;
      }
      write({ id: call.id, result: { content: [{ type: 'text', text: JSON.stringify(result ?? error) }] } });
      call.response.end();
    },
    'notifications/cancelled': (_, response) => {
      received.cancelled += 1;
      response.writeHead(202).end();
    },
  });

beforeAll(async () => {
  world = await World.start();
  upstream = await startUpstream();
  const connector = world.manager.addConnector({ slug: 'a', endpoint: upstream.url }, ['all']);
  for (const subject of ['alice', 'bob'])
    world.manager.toggle(world.manager.addUser({ subject, groups: ['all'] }), connector, true);
  tokens = { alice: await world.token('alice'), bob: await world.token('bob') };
  gateway = await world.gateway();
  url = `${gateway.url}/mcp`;
}, 60_000);

afterAll(async () => {
  await world.close();
  await upstream.close();
});

const FORMS = { elicitation: { form: {} } };

const call = (params: Record<string, unknown> = {}, user: 'alice' | 'bob' = 'alice', capabilities: object = FORMS) => {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  return modern(url, tokens[user], 'tools/call', { name: 'a__only', ...params, _meta });
};

/** The params of the request that answers the questions of a result. */
function answer({ json }: RawAnswer, name: string) {
  const [key] = Object.keys(json.result?.['inputRequests'] as object);
  const inputResponses = { [key!]: { action: 'accept', content: { name } } };
  return { inputResponses, requestState: json.result?.['requestState'] };
}

describe('a question of a legacy upstream to a modern client', () => {
  it('is answered by the next requests of the client, and the call is made once', async () => {
    const calls = upstream.seen.get('tools/call') ?? 0;
    const first = await call();
    expect(first.json.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'question-1': { method: 'elicitation/create', params: QUESTION } },
    });
    const second = await call(answer(first, 'Ada'));
    expect(second.json.result).toMatchObject({ inputRequests: { 'question-2': { method: 'elicitation/create' } } });
    const last = await call(answer(second, 'Lovelace'));
    expect(last.json.result).toMatchObject({
      resultType: 'complete',
      content: [{ text: JSON.stringify({ action: 'accept', content: { name: 'Lovelace' } }) }],
    });
    expect(upstream.seen.get('tools/call')).toBe(calls + 1);
    expect(received.capabilities.at(-1)).toEqual(FORMS);
  });

  it('serves a stock client', async () => {
    const client = await world.client(url, tokens.alice, { ...MODERN, capabilities: FORMS });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'stock' } }));
    const { content } = await client.callTool({ name: 'a__only', arguments: {} });
    expect(content).toMatchObject([{ text: JSON.stringify({ action: 'accept', content: { name: 'stock' } }) }]);
  });

  it('is asked again if the client does not answer it', async () => {
    const first = await call();
    const again = await call({ requestState: first.json.result?.['requestState'], inputResponses: { other: {} } });
    expect(again.json.result?.['inputRequests']).toEqual(first.json.result?.['inputRequests']);
    const second = await call(answer(again, 'Ada'));
    expect((await call(answer(second, 'x'))).json.result).toMatchObject({ resultType: 'complete' });
  });

  it('is answered once, by its own user, for its own call', async () => {
    const first = await call();
    const retry = answer(first, 'Ada');
    expect((await call(retry, 'bob')).json.error?.code).toBe(-32602);
    expect((await call({ ...retry, name: 'a__other' })).json.error?.code).toBe(-32602);
    expect((await call({ ...retry, requestState: `${String(retry.requestState)}x` })).json.error?.code).toBe(-32602);
    const second = await call(retry);
    expect(second.json.result?.['resultType']).toBe('input_required');
    expect((await call(retry)).json.error?.code).toBe(-32602);
    expect((await call(answer(second, 'x'))).json.result?.['resultType']).toBe('complete');
  });

  it('is refused if the client did not declare the capability', async () => {
    const { json } = await call({}, 'alice', {});
    expect(json.result).toMatchObject({ resultType: 'complete' });
    expect(received.answers.at(-1)).toMatchObject({ code: -32601 });
    expect(received.capabilities.at(-1)).toEqual({});
  });

  it('limits the waiting calls of a user', async () => {
    const parked: RawAnswer[] = [];
    for (let at = 0; at < 100; at += 1) parked.push(await call({}, 'bob'));
    expect(parked.every(({ json }) => json.result?.['resultType'] === 'input_required')).toBe(true);
    const cancelled = received.cancelled;
    expect((await call({}, 'bob')).json.error?.message).toContain('100 of your calls wait for input');
    await eventually(() => (received.cancelled > cancelled ? true : undefined), 'the upstream is told');
    expect((await call()).json.result?.['resultType']).toBe('input_required');
  });
});
