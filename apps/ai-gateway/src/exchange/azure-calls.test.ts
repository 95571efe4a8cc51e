import { afterEach, describe, expect, it } from '@jest/globals';
import { encodeFrames, plainData, USAGE, usageData } from '../formats/openai/chat-frames.fixture.ts';
import { CallWorld, type Provider } from './call-world.fixture.ts';

const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
/** The first chunk of Azure, which has no model, no id and no choices. */
const FILTER_CHUNK = JSON.stringify({
  choices: [],
  created: 0,
  id: '',
  model: '',
  object: '',
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } }],
});

const answer =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Provider =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
const stream = (data: readonly string[]) => answer(200, encodeFrames(data), { 'content-type': 'text/event-stream' });

const worlds: CallWorld[] = [];
afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));
async function open(provider: Provider): Promise<CallWorld> {
  const world = new CallWorld();
  worlds.push(world);
  world.more = {
    provider: { platform: { azure: { apiVersion: '2024-10-21' } } },
    backend: { model: 'chat-prod', pricedAs: 'gpt-5.4' },
  };
  return world.open(provider);
}

describe('a call to a deployment of Azure', () => {
  it('is admitted, recorded and charged under the name of its price', async () => {
    const world = await open(stream([FILTER_CHUNK, ...usageData]));
    const response = await world.post({ ...REQUEST, stream: true });
    expect(await response.text()).toBe(Buffer.from(encodeFrames([FILTER_CHUNK, ...plainData])).toString());
    expect(world.received[0]).toMatchObject({
      url: '/openai/deployments/chat-prod/chat/completions?api-version=2024-10-21',
      headers: { 'api-key': 'key-of-p0' },
    });
    const usage: unknown = JSON.parse(USAGE);
    expect(world.admitted).toMatchObject([{ model: 'gpt-5.4', requestedModel: 'm', provider: 'openai' }]);
    expect(world.recorded).toMatchObject([
      { intent: { model: 'gpt-5.4', requested_model: 'm' }, outcome: { outcome: 'delivered', raw_usage: usage } },
    ]);
    expect(world.attempts).toMatchObject([{ model: 'chat-prod', report: { model: 'gpt-5.4-2026-03-05' } }]);
  });

  it('knows the model of a stream that is cut after the chunk of the content filter', async () => {
    const world = await open(stream([FILTER_CHUNK, ...usageData.slice(0, 2)]));
    await (await world.post({ ...REQUEST, stream: true })).text().catch(() => undefined);
    expect(world.attempts).toMatchObject([{ report: { model: 'gpt-5.4-2026-03-05', usage: undefined } }]);
  });

  it.each([
    [400, { code: 'content_filter', status: 400, innererror: { code: 'ResponsibleAIPolicyViolation' } }],
    [404, { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' }],
    [429, { code: '429', message: 'Rate limit is exceeded.' }],
  ])('passes the error %i on unchanged, which costs nothing', async (status, error) => {
    const body = JSON.stringify({ error });
    const headers = { 'retry-after-ms': '250', 'apim-request-id': 'azure-1', 'x-ms-region': 'Sweden' };
    const world = await open(answer(status, body, headers));
    const response = await world.post(REQUEST);
    expect([response.status, await response.text(), response.headers.get('retry-after-ms')]).toEqual([
      status,
      body,
      '250',
    ]);
    expect([response.headers.get('x-ms-region'), response.headers.get('apim-request-id')]).toEqual([null, null]);
    expect(world.attempts.at(-1)).toMatchObject({ providerRequestId: 'azure-1', outcome: { raw_usage: null } });
  });

  it.each([
    { error: { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' } },
    { statusCode: 401, message: 'Unauthorized. Access token is missing, invalid, or has expired.' },
  ])('hides that the key was refused with %j, and reads it again', async (body) => {
    const world = await open(answer(401, JSON.stringify(body)));
    const response = await world.post(REQUEST);
    expect([response.status, await response.text()]).toEqual([502, expect.not.stringMatching(/denied|token/i)]);
    expect(new Set(world.refusedKeys)).toEqual(new Set(['p0']));
  });

  it('refuses an operation of another format without a request to the provider', async () => {
    const world = await open(answer(200, '{}'));
    const response = await world.post(REQUEST, { path: '/v1/messages/count_tokens' });
    expect([response.status, world.received]).toEqual([400, []]);
  });
});
