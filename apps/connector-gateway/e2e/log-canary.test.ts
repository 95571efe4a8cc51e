import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import type { Client } from '@modelcontextprotocol/client';
import { randomBytes, randomUUID } from 'node:crypto';
import type { TestConnector } from './support/manager.ts';
import { eventually, MODERN, World } from './support/world.ts';

const canary = () => randomBytes(20).toString('hex');

describe('the log of a gateway at the lowest level', () => {
  const [secret, argument, token] = [canary(), canary(), { text: '' }];
  const lines: string[] = [];
  let world: World;
  let upstream: McpUpstream;
  let connector: TestConnector;
  let client: Client;

  beforeAll(async () => {
    world = await World.start();
    const alice = world.manager.addUser({ subject: 'alice', groups: ['engineers'] });
    const gateway = await world.gateway(
      { LOG_LEVEL: 'debug', CALL_TIMEOUT_MS: '1500' },
      { write: (line) => lines.push(line) },
    );
    const secretId = randomUUID();
    upstream = await startMcpUpstream({ demanded: { name: 'x-api-key', value: secret } });
    world.manager.secrets.set(secretId, { value: secret, version: 1 });
    connector = world.manager.addConnector(
      {
        slug: 'echoing',
        endpoint: upstream.url,
        auth: {
          type: 'headerInjection',
          header_injection: { header_name: 'x-api-key' },
          secrets: { 'header_injection.value': { id: secretId, version: 1 } },
        },
      },
      ['engineers'],
    );
    world.manager.toggle(alice, connector, true);
    token.text = await world.token('alice');
    client = await world.client(`${gateway.url}/mcp`, token.text, MODERN);
    await eventually(
      async () => (await client.listTools()).tools.some(({ name }) => name.startsWith('echoing__')) || undefined,
      'the tools are listed',
    );
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await upstream.close();
  });

  const call = () =>
    client.callTool({ name: `echoing__${upstream.tools.echo}`, arguments: { text: argument } }).catch(String);

  it.each([
    ['a page', { status: 500, body: `<p>You sent x-api-key: ${secret} and ${argument}</p>` }],
    ['an object', { status: 403, body: JSON.stringify({ headers: { 'x-api-key': secret }, body: argument }) }],
    ['text of no form', { status: 200, body: `${secret} ${argument}`, contentType: 'application/json' }],
    [
      'a message of another form',
      { status: 200, body: JSON.stringify({ jsonrpc: secret, id: argument }), contentType: 'application/json' },
    ],
    ['a stream', { status: 200, body: `data: {"${secret}": ${argument}\n\n`, contentType: 'text/event-stream' }],
    ['an unknown type', { status: 200, body: 'x', contentType: `text/${secret}` }],
    ['a redirect', { status: 400, body: `http://127.0.0.1/?${secret}&${argument}` }],
  ])(
    'contains no text of a call that an upstream repeats as %s',
    async (_, response) => {
      // A successful call resets the breaker.
      expect(await call()).toMatchObject({ content: [{ text: argument }] });
      const before = lines.length;
      upstream.answerWith(response);
      const answered = JSON.stringify(await call());
      await client.listTools();
      upstream.answerWith(undefined);
      const log = lines.slice(before).join('');
      expect(log).toMatch(new RegExp(`"connector":"${connector.id}","failure":\\[\\{.*\\},\\{"name":`));
      // A prefix counts too: parsers show ten characters of invalid input.
      for (const value of [secret.slice(0, 9), argument.slice(0, 9), token.text]) {
        expect(log).not.toContain(value);
        expect(answered).not.toContain(value);
      }
    },
    30_000,
  );
});
