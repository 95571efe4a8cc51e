import { afterEach, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../src/json-rpc.ts';
import { closeAll, exchange, open, type TestConnection } from './client.ts';
import { createResult, openStream, type ScriptedHttp, writeMessage } from './scripted-http.ts';
import { startScripted } from './scripted-server.ts';
import { startSse } from './scripted-sse.ts';

const servers: ScriptedHttp[] = [];

afterEach(async () => {
  await closeAll();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A message that the server sends during one of the calls. */
interface Step {
  call: number;
  kind: 'log' | 'progress' | 'question' | 'foreign response' | 'list changed';
}

/** A call that the server has received. */
interface OpenCall {
  id: number;
  token: unknown;
  write: (message: unknown) => void;
  end: () => void;
}

const KINDS = ['log', 'progress', 'question', 'foreign response', 'list changed'] as const;

const plans = (kinds: readonly Step['kind'][]) =>
  fc.integer({ min: 1, max: 6 }).chain((calls) =>
    fc.record({
      steps: fc.array(fc.record({ call: fc.nat(calls - 1), kind: fc.constantFrom(...kinds) }), { maxLength: 40 }),
      responses: fc.shuffledSubarray([...Array(calls).keys()], { minLength: calls, maxLength: calls }),
    }),
  );

interface Plan {
  steps: Step[];
  responses: number[];
}

function createMessage({ kind }: Step, call: OpenCall, at: number): unknown {
  if (kind === 'log') return { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: at } };
  if (kind === 'progress')
    return { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: call.token, progress: at } };
  if (kind === 'question') return { jsonrpc: '2.0', id: `q${at}`, method: 'elicitation/create', params: { at } };
  if (kind === 'foreign response') return createResult(call.id + 1_000, { at });
  return { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: { at } } };
}

/** Runs the plan at the server when all calls are open. */
function createPlayer({ steps, responses }: Plan): (index: number, call: OpenCall) => void {
  const open = new Map<number, OpenCall>();
  return (index, call) => {
    open.set(index, call);
    if (open.size < responses.length) return;
    for (const [at, step] of steps.entries()) open.get(step.call)!.write(createMessage(step, open.get(step.call)!, at));
    for (const each of responses) {
      const { id, write, end } = open.get(each)!;
      write(createResult(id, { call: each }));
      end();
    }
  };
}

/** The messages that a call or the connection has received: kind and number of each. */
type Received = [string, unknown][];

async function makeCall(
  { connection }: TestConnection,
  index: number,
): Promise<{ received: Received; result: unknown }> {
  const received: Received = [];
  const response = await connection.request(
    'tools/call',
    { name: 'x', arguments: { index } },
    exchange({
      progressToken: `token ${index}`,
      onNotification: ({ method, params = {} }) =>
        received.push(
          method === 'notifications/progress'
            ? [`progress of ${String(params['progressToken'])}`, params['progress']]
            : [method, params['data']],
        ),
      onRequest: ({ params = {} }) => {
        received.push(['question', params['at']]);
        return Promise.resolve({ jsonrpc: '2.0', id: 0, result: { index } });
      },
    }),
  );
  return { received, result: 'result' in response ? response.result : response };
}

/** The messages that each call must receive. */
function expectReceived({ steps }: Plan, call: number, kinds: readonly Step['kind'][]): Received {
  return [...steps.entries()].flatMap(([at, step]): Received => {
    if (step.call !== call || !kinds.includes(step.kind)) return [];
    if (step.kind === 'log') return [['notifications/message', at]];
    if (step.kind === 'progress') return [[`progress of token ${call}`, at]];
    return step.kind === 'question' ? [['question', at]] : [];
  });
}

async function check(plan: Plan, test: TestConnection, kinds: readonly Step['kind'][]): Promise<void> {
  const outcomes = await Promise.all(plan.responses.map((_, index) => makeCall(test, index)));
  for (const [index, { received, result }] of outcomes.entries()) {
    expect(result).toEqual({ call: index });
    expect(received).toEqual(expectReceived(plan, index, kinds));
  }
  const changes = plan.steps.flatMap(({ kind }, at) => (kind === 'list changed' ? [at] : []));
  const seen = test.notifications
    .filter(({ method }) => method === 'notifications/tools/list_changed')
    .map(({ params }) => (params?.['_meta'] as JsonObject)['at']);
  expect(seen.toSorted((one, other) => Number(one) - Number(other))).toEqual(changes);
}

const options = { seed, numRuns: 25 * effort };

describe('messages of several requests at once', () => {
  it('reach the request whose stream brought them', async () => {
    await fc.assert(
      fc.asyncProperty(plans(KINDS), async (plan) => {
        const play = createPlayer(plan);
        const server = await startScripted({
          post: ({ body }, response: ServerResponse) => {
            openStream(response);
            play(body.params.arguments.index, {
              id: body.id,
              token: body.params._meta.progressToken,
              write: (message) => writeMessage(response, message),
              end: () => response.end(),
            });
          },
        });
        servers.push(server);
        await check(plan, await open(server.url), KINDS);
        const answers = server.requests.filter(({ body }) => body?.method === undefined && body?.result !== undefined);
        for (const { body } of answers)
          expect(plan.steps[Number(String(body.id).slice(1))]?.call).toBe(body.result.index);
      }),
      options,
    );
  });

  it('reach the request with their id or token over the SSE transport', async () => {
    const kinds = ['progress', 'foreign response', 'list changed'] as const;
    await fc.assert(
      fc.asyncProperty(plans(kinds), async (plan) => {
        const play = createPlayer(plan);
        const { server } = await startSse((write, { body }, response) => {
          response.writeHead(202).end();
          const token = body.params._meta.progressToken;
          play(body.params.arguments.index, { id: body.id, token, write, end: () => undefined });
        });
        servers.push(server);
        await check(plan, await open(server.url, { transport: 'sse' }), kinds);
      }),
      options,
    );
  });
});
