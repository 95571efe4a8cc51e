import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectWorld } from './support/connect-world.ts';
import { eventually, type Gateway, MODERN } from './support/world.ts';

let scene: ConnectWorld;
let gateway: Gateway;
beforeAll(async () => {
  scene = await ConnectWorld.start();
  gateway = await scene.gateway();
}, 60_000);
afterEach(async () => {
  for (const subject of ['alice', 'bob']) await scene.request(gateway.controlUrl, subject, 'DELETE');
});
afterAll(() => scene.close());

const getTool = () => `files__${scene.upstream.tools.echo}`;
const call = async (subject: string, options = {}) => {
  const client = await scene.world.client(`${gateway.url}/mcp`, await scene.world.token(subject), options);
  return client.callTool({ name: getTool(), arguments: { text: 'hello' } });
};

/** The subject and the audience of the token that the upstream received last. */
function readLastToken(): unknown {
  const { authorization } = scene.upstream.calls('tools/call').at(-1)?.headers ?? {};
  const token = String(authorization).replace('Bearer ', '');
  return scene.provider.authorization.findGrant(token);
}

describe('a call of a connector with a sign-in', () => {
  it('answers with a link that connects the user, and then sends the token of the user', async () => {
    for (const subject of ['alice', 'bob']) {
      const { isError, content } = await call(subject);
      const text = JSON.stringify(content);
      const link = /http:[^ "]+\/oauth\/connect\/[^ "]+/.exec(text)?.[0] ?? '';
      expect([isError, link.startsWith(gateway.url)]).toEqual([true, true]);
      expect((await scene.approve(scene.signIn(subject), link)).html).toContain('is connected');
      const { isError: isRefused } = await eventually(
        () => call(subject).then((result) => (result.isError === true ? undefined : result)),
        'the call succeeds',
      );
      expect(isRefused).not.toBe(true);
      expect(readLastToken()).toMatchObject({ subject, resource: scene.upstream.url });
    }
  });

  it('sends no request to the upstream for a user who is not connected', async () => {
    await scene.connect(gateway, 'alice');
    const before = scene.upstream.calls('tools/call').length;
    expect((await call('bob')).isError).toBe(true);
    expect(scene.upstream.calls('tools/call')).toHaveLength(before);
  });

  it('asks a client with URL elicitation to open the link', async () => {
    const capabilities = { capabilities: { elicitation: { url: {} } } };
    await expect(call('alice', capabilities)).rejects.toMatchObject({
      code: -32042,
      data: { elicitations: [expect.objectContaining({ mode: 'url', url: expect.stringContaining(gateway.url) })] },
    });
    const asked: string[] = [];
    const client = await scene.world.client(`${gateway.url}/mcp`, await scene.world.token('alice'), {
      ...MODERN,
      ...capabilities,
    });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { url } = params as { url?: string };
      asked.push(url ?? '');
      await scene.approve(scene.signIn('alice'), url ?? '');
      return { action: 'accept' };
    });
    const result = await client.callTool({ name: getTool(), arguments: { text: 'hello' } });
    expect([asked.length, result.isError === true]).toEqual([1, false]);
  });
});
