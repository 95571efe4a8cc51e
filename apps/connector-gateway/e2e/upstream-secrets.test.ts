import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import type { Client } from '@modelcontextprotocol/client';
import { randomUUID } from 'node:crypto';
import { dumpDatabase } from './support/dump.ts';
import type { TestConnector, TestUser } from './support/manager.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

/** A connector with its own secret. */
interface Guarded {
  connector: TestConnector;
  upstream: McpUpstream;
  secretId: string;
  value: string;
}

describe.each([
  ['a bearer token', 'authorization', 'Bearer '],
  ['a header', 'x-api-key', ''],
])('a connector that sends %s', (_, header, prefix) => {
  let world: World;
  let gateway: Gateway;
  let alice: TestUser;
  let client: Client;
  const upstreams: McpUpstream[] = [];

  /** Adds a connector whose upstream requires a secret. */
  const guard = async (slug: string, eras: 'both' | 'legacy' | 'modern' = 'both'): Promise<Guarded> => {
    const value = `secret-${randomUUID()}`;
    const secretId = randomUUID();
    const upstream = await startMcpUpstream({ eras, demanded: { name: header, value: `${prefix}${value}` } });
    upstreams.push(upstream);
    world.manager.secrets.set(secretId, { value, version: 1 });
    const auth = prefix
      ? { type: 'bearerToken', secrets: { 'bearer_token.token': { id: secretId, version: 1 } } }
      : {
          type: 'headerInjection',
          header_injection: { header_name: header },
          secrets: { 'header_injection.value': { id: secretId, version: 1 } },
        };
    const connector = world.manager.addConnector({ slug, endpoint: upstream.url, auth }, ['engineers']);
    world.manager.toggle(alice, connector, true);
    return { connector, upstream, secretId, value };
  };
  const tools = async () => (await client.listTools()).tools.map(({ name }) => name);
  const known = (slug: string) =>
    eventually(
      async () => (await tools()).some((name) => name.startsWith(`${slug}__`)) || undefined,
      `${slug} is listed`,
    );
  const echo = ({ connector, upstream }: Guarded) =>
    client.callTool({ name: `${connector.slug}__${upstream.tools.echo}`, arguments: { text: 'hello' } });
  /** Changes the value of the secret. */
  const rotate = (guarded: Guarded, value: string) => {
    const { version } = world.manager.secrets.get(guarded.secretId)!;
    world.manager.secrets.set(guarded.secretId, { value, version: version + 1 });
    for (const secret of Object.values(guarded.connector.auth.secrets ?? {})) secret.version = version + 1;
    world.manager.notifyChange();
  };

  beforeAll(async () => {
    world = await World.start();
    alice = world.manager.addUser({ subject: 'alice', groups: ['engineers'] });
    gateway = await world.gateway();
    client = await world.client(`${gateway.url}/mcp`, await world.token('alice'), MODERN);
  });
  afterEach(() => {
    world.manager.failRevealWith = undefined;
    world.manager.failWith = undefined;
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(upstreams.map((upstream) => upstream.close()));
  });

  it.each(['modern', 'legacy'] as const)(
    'is listed and called with its secret, %s, never with the token of the caller',
    async (eras) => {
      const guarded = await guard(`sends-${eras}`, eras);
      await known(guarded.connector.slug);
      expect((await echo(guarded)).content).toEqual([{ type: 'text', text: 'hello' }]);
      const calls = guarded.upstream.calls();
      expect(calls.map(({ headers }) => headers[header])).toEqual(calls.map(() => `${prefix}${guarded.value}`));
      expect(JSON.stringify(calls)).not.toContain(await world.token('alice'));
      if (header !== 'authorization')
        expect(calls.map(({ headers }) => headers.authorization)).toEqual(calls.map(() => undefined));
      expect(world.manager.revealed.filter((id) => id === guarded.secretId)).toHaveLength(1);
    },
  );

  it('uses the next value of the secret', async () => {
    const guarded = await guard('rotates');
    await known('rotates');
    await echo(guarded);
    const next = `next-${randomUUID()}`;
    rotate(guarded, next);
    guarded.upstream.demand({ name: header, value: `${prefix}${next}` });
    const response = await eventually(async () => {
      const result = await echo(guarded);
      return result.isError === true ? undefined : result;
    }, 'the next value is sent');
    expect(response.content).toEqual([{ type: 'text', text: 'hello' }]);
  });

  it('fetches the secret again after a refusal and repeats the request once', async () => {
    const guarded = await guard('refuses');
    await known('refuses');
    await echo(guarded);
    const next = `silent-${randomUUID()}`;
    world.manager.secrets.set(guarded.secretId, { value: next, version: 2 });
    guarded.upstream.demand({ name: header, value: `${prefix}${next}` });
    const response = await eventually(async () => {
      const result = await echo(guarded);
      return result.isError === true ? undefined : result;
    }, 'the call gets through');
    expect(response.content).toEqual([{ type: 'text', text: 'hello' }]);
  });

  it('reports a secret that the upstream does not accept', async () => {
    const guarded = await guard('unloved');
    await known('unloved');
    guarded.upstream.demand({ name: header, value: 'something else' });
    const response = await echo(guarded);
    expect(response).toMatchObject({
      isError: true,
      content: [
        {
          text: `The connector "${guarded.connector.name}" does not accept the secret that it was given. Tell an administrator, or go on without it.`,
        },
      ],
    });
  });

  it('is unavailable only while its secret is', async () => {
    const other = await guard('other');
    await known('other');
    world.manager.failRevealWith = 503;
    const guarded = await guard('locked');
    const unavailable = await eventually(async () => {
      const response = await fetch(
        `${gateway.controlUrl}/v1/users/me/gateway/connectors/${guarded.connector.id}/tools`,
        {
          headers: { authorization: `Bearer ${await world.token('alice')}` },
        },
      );
      return response.status === 404 ? undefined : { status: response.status, body: await response.json() };
    }, 'the connector is known');
    expect(unavailable).toEqual({
      status: 502,
      body: { error: 'the connector cannot be called, because its secret is not available at the moment' },
    });
    const listed = await tools();
    expect([
      listed.some((name) => name.startsWith('other__')),
      listed.some((name) => name.startsWith('locked__')),
    ]).toEqual([true, false]);
    expect((await echo(other)).content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(guarded.upstream.calls()).toEqual([]);
    world.manager.failRevealWith = undefined;
    await known('locked');
    expect((await echo(guarded)).content).toEqual([{ type: 'text', text: 'hello' }]);
  });

  it('leaves no trace of the secret in the database', async () => {
    const guarded = await guard('traces');
    await known('traces');
    // A delivered record is deleted, so nothing is delivered before the look.
    world.manager.failWith = 503;
    await echo(guarded);
    const rows = await dumpDatabase(world.database.adminUrl);
    expect(rows).toContain(guarded.connector.id);
    for (const { value } of world.manager.secrets.values()) expect(rows).not.toContain(value);
  });
});
