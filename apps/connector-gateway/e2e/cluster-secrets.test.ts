import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, manifest, startCluster } from '@gatehouse/testing/cluster';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import type { Client } from '@modelcontextprotocol/client';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { ClockAhead } from './support/clock-ahead.ts';
import { dumpDatabase } from './support/dump.ts';
import type { TestConnector, TestUser } from './support/manager.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

const SECRETS = '/api/v1/namespaces/tools/secrets';
/** The Secrets that the manifest of `deploy/` opens to the gateway. */
const REFERENCE = { name: 'github-token', namespace: 'tools', key: 'token' };

/** A connector whose upstream requires a secret of the cluster. */
interface Guarded {
  connector: TestConnector;
  upstream: McpUpstream;
}

/** A proxy between the gateway and the Kubernetes API that can be stopped. */
interface Door {
  url: string;
  open: boolean;
  close(): Promise<void>;
}

async function startDoor(target: number): Promise<Door> {
  const sockets = new Set<Socket>();
  const door = { url: '', open: true, close: () => Promise.resolve() };
  const server = createServer((near) => {
    if (!door.open) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    // The client keeps its connections, so a closed door also cuts those that are open.
    near.on('data', () => door.open || near.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  door.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  door.close = async () => {
    const closed = once(server.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return door;
}

describeWhen(kubernetesPrograms(), 'a connector whose secret lies in the cluster', (programs) => {
  let cluster: Cluster;
  let door: Door;
  let world: World;
  let gateway: Gateway;
  let alice: TestUser;
  let client: Client;
  let aheadMs = 0;
  const lines: string[] = [];
  const responses: unknown[] = [];
  const values: string[] = [];
  const upstreams: McpUpstream[] = [];

  /** Writes these values to a Secret, creating it if missing. */
  const write = async (name: string, stringData: Record<string, string>, namespace = 'tools') => {
    values.push(...Object.values(stringData).map((value) => value.trim()));
    const collection = `/api/v1/namespaces/${namespace}/secrets`;
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData };
    const { status } = await cluster.call('PUT', `${collection}/${name}`, object);
    if (status === 404) await cluster.create(collection, object);
  };
  const fresh = () => `value-${randomUUID()}`;

  /**
   * Adds a connector and grants it to Alice.
   * @param wanted the header that its upstream requires; undefined for none
   */
  const guard = async (
    slug: string,
    reference: object,
    wanted?: { name: string; value: string },
    header?: string,
  ): Promise<Guarded> => {
    const upstream = await startMcpUpstream(wanted && { demanded: wanted });
    upstreams.push(upstream);
    const secret = { ...REFERENCE, ...reference };
    const auth =
      header === undefined
        ? { type: 'bearerToken', kubernetes_secrets: { 'bearer_token.token': secret } }
        : {
            type: 'headerInjection',
            header_injection: { header_name: header },
            kubernetes_secrets: { 'header_injection.value': secret },
          };
    const connector = world.manager.addConnector({ slug, endpoint: upstream.url, auth }, ['engineers']);
    world.manager.toggle(alice, connector, true);
    return { connector, upstream };
  };
  const bearer = (value: string) => ({ name: 'authorization', value: `Bearer ${value}` });
  const known = (slug: string) =>
    eventually(
      async () => (await client.listTools()).tools.some(({ name }) => name.startsWith(`${slug}__`)) || undefined,
      `${slug} is listed`,
    );
  const echo = async ({ connector, upstream }: Guarded) => {
    const response = await client
      .callTool({ name: `${connector.slug}__${upstream.tools.echo}`, arguments: { text: 'hello' } })
      .catch(String);
    responses.push(response);
    return response;
  };
  const HELLO = { content: [{ type: 'text', text: 'hello' }] };
  const authorizations = ({ upstream }: Guarded) => upstream.calls().map(({ headers }) => headers.authorization);

  /** Lists a connector that cannot be called. @returns the logged message */
  const readFailureMessage = async ({ connector, upstream }: Guarded): Promise<string> => {
    const { status, body } = await eventually(async () => {
      const response = await fetch(`${gateway.controlUrl}/v1/users/me/gateway/connectors/${connector.id}/tools`, {
        headers: { authorization: `Bearer ${await world.token('alice')}` },
      });
      return response.status === 404 ? undefined : { status: response.status, body: await response.json() };
    }, 'the connector is known');
    responses.push(body);
    expect([status, body]).toEqual([
      502,
      { error: 'the connector cannot be called, because its secret is not available at the moment' },
    ]);
    const line = await eventually(async () => {
      const { tools } = await client.listTools();
      expect(tools.filter(({ name }) => name.startsWith(`${connector.slug}__`))).toEqual([]);
      return lines.findLast((one) => one.includes(`"connector":"${connector.id}"`));
    }, 'a list has left the connector out and the log says why');
    expect(upstream.calls()).toEqual([]);
    const { failure } = JSON.parse(line) as { failure: { name: string; message?: string }[] };
    return failure.find(({ name }) => ['ClusterSecretError', 'ContractViolationError'].includes(name))?.message ?? line;
  };

  beforeAll(async () => {
    cluster = await startCluster(programs);
    door = await startDoor(Number(new URL(cluster.api.url).port));
    const [role, binding] = manifest('rbac/connector-gateway-secrets.yaml');
    const rights = '/apis/rbac.authorization.k8s.io/v1/namespaces/tools';
    await cluster.create(`${rights}/roles`, role ?? '');
    await cluster.create(`${rights}/rolebindings`, binding ?? '');
    world = await World.start();
    alice = world.manager.addUser({ subject: 'alice', groups: ['engineers'] });
    gateway = await world.gateway(
      {
        LOG_LEVEL: 'debug',
        KUBERNETES_SECRETS_NAMESPACES: '["tools"]',
        KUBERNETES_SECRETS_URL: door.url,
        KUBERNETES_SECRETS_TOKEN_PATH: await cluster.createTokenFile('connector-gateway'),
        KUBERNETES_SECRETS_CA_PATH: cluster.caPath,
      },
      { write: (line) => lines.push(line) },
      new ClockAhead(() => aheadMs),
    );
    client = await world.client(`${gateway.url}/mcp`, await world.token('alice'), MODERN);
  }, 120_000);
  afterEach(() => {
    door.open = true;
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(upstreams.map((upstream) => upstream.close()));
    await door.close();
    await cluster.close();
  });

  it('is listed and called with its Secret, never with the token of the caller', async () => {
    const [value, key] = [fresh(), fresh()];
    await write(REFERENCE.name, { token: value, 'api.key': `${key}\n` });
    const first = await guard('sends', {}, bearer(value));
    await known('sends');
    expect(await echo(first)).toMatchObject(HELLO);
    expect(new Set(authorizations(first))).toEqual(new Set([`Bearer ${value}`]));
    const second = await guard('injects', { key: 'api.key' }, { name: 'x-api-key', value: key }, 'x-api-key');
    await known('injects');
    expect(await echo(second)).toMatchObject(HELLO);
    expect(new Set(authorizations(second))).toEqual(new Set([undefined]));
    expect(world.manager.revealed).toEqual([]);
  });

  it('needs a permission for this Secret only', async () => {
    const token = await cluster.createToken('connector-gateway');
    const getStatus = (path: string) => cluster.call('GET', path, undefined, token).then(({ status }) => status);
    await write('other', { token: fresh() });
    expect(await Promise.all([SECRETS, `${SECRETS}?watch=true`, `${SECRETS}/other`].map(getStatus))).toEqual([
      403, 403, 403,
    ]);
    expect(await getStatus(`${SECRETS}/${REFERENCE.name}`)).toBe(200);
  });

  it('uses the next value when the upstream refuses the previous one', async () => {
    const [value, next] = [fresh(), fresh()];
    await write(REFERENCE.name, { token: value });
    aheadMs += 301_000;
    const guarded = await guard('rotates', {}, bearer(value));
    await known('rotates');
    expect(await echo(guarded)).toMatchObject(HELLO);
    await write(REFERENCE.name, { token: next });
    guarded.upstream.demand(bearer(next));
    await eventually(async () => {
      const response = await echo(guarded);
      return typeof response === 'object' && response.isError !== true ? response : undefined;
    }, 'the next value is sent');
    expect(authorizations(guarded).at(-1)).toBe(`Bearer ${next}`);
  });

  it('uses the next value after five minutes without a refusal', async () => {
    const [value, next] = [fresh(), fresh()];
    await write(REFERENCE.name, { token: value });
    aheadMs += 301_000;
    const guarded = await guard('ages', {});
    await known('ages');
    await echo(guarded);
    await write(REFERENCE.name, { token: next });
    await echo(guarded);
    expect(authorizations(guarded).at(-1)).toBe(`Bearer ${value}`);
    aheadMs += 301_000;
    expect(await echo(guarded)).toMatchObject(HELLO);
    expect(authorizations(guarded).at(-1)).toBe(`Bearer ${next}`);
  });

  it.each([
    [
      'that its Role does not name',
      'unnamed',
      { name: 'other' },
      'the cluster does not let this gateway read the Secret tools/other; a Role with "get" on it is needed',
    ],
    ['that lacks the key', 'keyless', { key: 'missing' }, 'the Secret tools/github-token has no key missing'],
    [
      'in a namespace that its settings do not name',
      'foreign',
      { namespace: 'others' },
      'the Secret others/github-token is not read, because KUBERNETES_SECRETS_NAMESPACES of this gateway does not name its namespace',
    ],
    [
      'whose name is a path',
      'crooked',
      { name: '../../others/secrets/github-token' },
      '/auth/kubernetes_secrets: kubernetes_secrets must be an object with valid values',
    ],
  ])('is not called with a Secret %s, and the log has the reason', async (_, slug, reference, reason) => {
    await write('other', { token: fresh() });
    await write(REFERENCE.name, { token: fresh() });
    await write(REFERENCE.name, { token: fresh() }, 'others');
    expect(await readFailureMessage(await guard(slug, reference))).toContain(reason);
  });

  it('is not called while its Secret is missing', async () => {
    await cluster.call('DELETE', `${SECRETS}/${REFERENCE.name}`);
    aheadMs += 301_000;
    const guarded = await guard('gone', {});
    expect(await readFailureMessage(guarded)).toBe('the Secret tools/github-token does not exist in the cluster');
    await write(REFERENCE.name, { token: fresh() });
    await known('gone');
    expect(await echo(guarded)).toMatchObject(HELLO);
  });

  it('is called with the last value for a limited time of an outage of the cluster', async () => {
    const value = fresh();
    await write(REFERENCE.name, { token: value });
    aheadMs += 301_000;
    const guarded = await guard('lives', {}, bearer(value));
    await known('lives');
    door.open = false;
    aheadMs += 400_000;
    expect(await echo(guarded)).toMatchObject(HELLO);
    const before = guarded.upstream.calls().length;
    aheadMs += 301_000;
    expect(await echo(guarded)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('its secret is not available at the moment') }],
    });
    expect(guarded.upstream.calls()).toHaveLength(before);
    const late = await guard('late', {}, bearer(value));
    expect(await readFailureMessage(late)).toBe(
      'the Secret tools/github-token cannot be read, because the Kubernetes API does not answer',
    );
    door.open = true;
    await known('late');
    expect(await echo(late)).toMatchObject(HELLO);
  });

  it('leaves no value in the log, responses, reports and the database', async () => {
    const traces = [
      lines,
      responses.map((response) => JSON.stringify(response)),
      JSON.stringify(world.manager.observations),
    ];
    const all = [...traces.flat(), await dumpDatabase(world.database.adminUrl)].join('\n');
    expect(all).toContain('ClusterSecretError');
    for (const value of values) {
      expect(all).not.toContain(value);
      expect(all).not.toContain(Buffer.from(value).toString('base64').slice(0, 30));
    }
  });
});
