import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readUsd } from '@gatehouse/money/usd';
import { VENDOR_KEYS } from '@gatehouse/testing/model-vendors';
import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { FORMAT_HEADERS, FORMAT_REQUESTS, type FormatName } from './support/format-requests.ts';
import { FORMAT_MODELS, FORMAT_NAMES, MeteredCaller } from './support/metered-caller.ts';
import { MeteredWorld } from './support/metered-world.ts';
import { nameRequest } from './support/sdk-target.ts';

const MIB = 1024 * 1024;
/** A text of prompts that occurs nowhere else. */
const CANARY = 'canary-of-a-prompt';

const OPENAI_ERROR = { error: { message: expect.any(String), type: expect.any(String) } };
/** The shape of an error of each vendor. */
const ERRORS: Readonly<Record<FormatName, object>> = {
  chat: OPENAI_ERROR,
  response: OPENAI_ERROR,
  message: { type: 'error', error: { type: expect.any(String), message: expect.any(String) } },
  content: { error: { code: expect.any(Number), message: expect.any(String), status: expect.any(String) } },
};

/** Bodies that no vendor accepts, and the status of their refusal. */
const BODIES: readonly (readonly [name: string, status: number, create: (body: string) => string | Buffer])[] = [
  ['no body', 400, () => ''],
  ['no JSON', 400, () => '{"model":'],
  ['an array', 400, (body) => `[${body}]`],
  ['a text', 400, () => '"model"'],
  ['null', 400, () => 'null'],
  ['two documents', 400, (body) => body + body],
  [
    'invalid UTF-8',
    400,
    (body) => Buffer.concat([Buffer.from(`${body.slice(0, -1)},"x":"`), Buffer.from([0xff, 0x22, 0x7d])]),
  ],
  ['a NUL byte', 400, (body) => `${body.slice(0, -1)}\0}`],
  ['deep nesting', 413, (body) => `${body.slice(0, -1)},"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ['deep nesting without an end', 413, () => '{"a":'.repeat(100_000)],
  ['many values', 413, (body) => `${body.slice(0, -1)},"x":[${'0,'.repeat(2_000_000)}0]}`],
  [
    'many members',
    413,
    (body) => `${body.slice(0, -1)},"x":{${Array.from({ length: 300_000 }, (_, at) => `"${at}":0`).join()}}}`,
  ],
  ['33 MiB', 413, (body) => `${body.slice(0, -1)},"x":"${'x'.repeat(33 * MIB)}"}`],
];

/** Answers of a broken provider, and whether they can cost something. */
const FAULTS: readonly (readonly [directives: string, isFree: boolean])[] = [
  ...['status:400', 'status:404', 'status:418', 'status:500', 'status:529', 'reset_before_headers'].map(
    (fault) => [`fault=${fault}`, true] as const,
  ),
  ['fault=redirect:http://127.0.0.1:1/', true],
  // A web page is no answer of a model.
  ['content_type=text/html', true],
  ...['reset_after_headers', 'reset_after:2', 'truncate:1', 'error_event:1', 'garbage:1', 'invalid_utf8:1'].map(
    (fault) => [`fault=${fault}`, false] as const,
  ),
  ...['half_frame:1', 'silence:1'].map((fault) => [`fault=${fault}`, false] as const),
  ...['gzip=1', 'usage=none', 'huge=2000000', 'split=1', 'crlf=1 comments=1'].map(
    (directives) => [directives, false] as const,
  ),
];

describe('bad input', () => {
  let world: MeteredWorld;
  let caller: MeteredCaller;
  beforeAll(async () => {
    world = await MeteredWorld.open({ settings: { LOG_LEVEL: 'debug', STREAM_IDLE_SECONDS: '1' } });
    caller = await MeteredCaller.create(world);
  }, 120_000);
  afterAll(() => world.close());

  const createRequest = (format: FormatName, text = CANARY) =>
    FORMAT_REQUESTS[format]({ text, model: FORMAT_MODELS[format], maxTokens: 64 });
  const countRequests = async () => (await world.vendors.readLog()).length;
  const post = async (path: string, body: string | Buffer, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${world.gateways[0]!.url}${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: { ...FORMAT_HEADERS, ...headers },
    });
    return { status: response.status, text: await response.text() };
  };
  /** Expects that the gateway refuses a request in the form of the vendor, which sees nothing. */
  const expectRefusal = async (format: FormatName, status: number, send: () => ReturnType<typeof post>) => {
    const before = await countRequests();
    const answer = await send();
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, ERRORS[format]]);
    expect(await countRequests()).toBe(before);
  };
  const authorization = () => ({ authorization: `Bearer ${caller.token}` });

  describe.each(FORMAT_NAMES)('in the format of a %s', (format) => {
    it.each(BODIES)('is refused in the form of the vendor: %s', async (_, status, create) => {
      const { path, body } = createRequest(format);
      await expectRefusal(format, status, () => post(path, create(body), authorization()));
    });

    it('is refused in the form of the vendor for another content type or a compressed body', async () => {
      const { path, body } = createRequest(format);
      for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }])
        await expectRefusal(format, 400, () => post(path, body, { ...authorization(), ...headers }));
    });

    it('is refused in the form of the vendor without a key, with a wrong one, and with several', async () => {
      const { path, body } = createRequest(format);
      const separator = path.includes('?') ? '&' : '?';
      const wrong = `${world.key.slice(0, -1)}${world.key.endsWith('0') ? '1' : '0'}`;
      for (const headers of [
        {},
        { authorization: 'Basic YTpi' },
        { authorization: `Bearer ${wrong}` },
        { 'x-api-key': 'x' },
      ])
        await expectRefusal(format, 401, () => post(path, body, headers));
      for (const headers of [{ 'x-api-key': world.key }, { 'x-goog-api-key': world.key }])
        await expectRefusal(format, 400, () => post(path, body, { ...authorization(), ...headers }));
      const inQuery = `${path}${separator}key=${world.key}`;
      await expectRefusal(format, 400, () => post(inQuery, body, authorization()));
    });

    it('accepts the key in the place of any vendor, and passes it on in none', async () => {
      const name = nameRequest();
      const { path, body } = createRequest(format, `[[sim: name=${name}]]`);
      const inQuery = `${path}${path.includes('?') ? '&' : '?'}key=${world.key}`;
      for (const headers of [
        { authorization: `Bearer ${world.key}` },
        { 'x-api-key': world.key },
        { 'x-goog-api-key': world.key },
      ])
        expect((await post(path, body, headers as Record<string, string>)).status).toBe(200);
      expect((await post(inQuery, body, {})).status).toBe(200);
      const records = await caller.readRequests(name);
      expect(records).toHaveLength(4);
      expect(JSON.stringify(records)).not.toContain(world.key);
    });

    it('is read up to 32 MiB, and refused above also if its size is not announced', async () => {
      const { path, body } = FORMAT_REQUESTS[format]({ text: 'x'.repeat(31 * MIB), model: 'unknown' });
      await expectRefusal(format, 404, () => post(path, body, authorization()));
      const request = sendRequest(`${world.gateways[0]!.url}${path}`, {
        method: 'POST',
        headers: { ...FORMAT_HEADERS, ...authorization() },
      });
      request.on('error', () => undefined);
      const answered = once(request, 'response');
      request.write('{"x":"');
      for (let sent = 0; sent < 40; sent += 1) request.write('x'.repeat(MIB));
      const [response] = (await answered) as [IncomingMessage];
      expect(response.statusCode).toBe(413);
      request.destroy();
    }, 60_000);

    it('of a provider ends each call and costs nothing that was not used', async () => {
      const own = await MeteredCaller.create(world);
      const name = nameRequest();
      const send = async ([directives]: (typeof FAULTS)[number], isStream: boolean) => {
        const text = `${CANARY} [[sim: name=${name} ${directives}]]`;
        const answer = await own.send(format, { text, isStream, maxTokens: 64 });
        return answer.text().catch(() => 'cut');
      };
      const answers = await Promise.all(FAULTS.flatMap((fault) => [send(fault, true), send(fault, false)]));
      for (const answer of answers) for (const key of Object.values(VENDOR_KEYS)) expect(answer).not.toContain(key);
      const records = await own.readRequests(name);
      const events = await own.untilEvents(records.length);
      const byAttempt = new Map(events.map((event) => [`${event.interaction_id}-${event.attempt}`, event]));
      for (const { headers, body } of records) {
        const charge = readUsd(byAttempt.get(headers['x-client-request-id'] ?? '')?.charged_usd ?? '0');
        const [directives, isFree] = FAULTS.find(([text]) => body.includes(`${text}]]`)) ?? ['none', false];
        expect([directives, charge > 0n, charge < readUsd('0.01')]).toEqual([directives, !isFree, true]);
      }
    }, 60_000);
  });

  it('leaves a gateway that serves, and neither keys nor prompts in its log', async () => {
    for (const format of FORMAT_NAMES) expect((await caller.send(format, {})).status).toBe(200);
    const output = world.gateways[0]!.readOutput();
    expect(output).toContain('"level":"debug"');
    for (const secret of [CANARY, world.key, caller.token, ...Object.values(VENDOR_KEYS)])
      expect([secret, output.includes(secret)]).toEqual([secret, false]);
    expect(output.split('\n').filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
  });
});
