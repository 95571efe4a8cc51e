/** Access tokens of dex, an identity provider of other authors. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Dex, findDex, startDex } from '@gatehouse/testing/dex';
import { describeWhen } from '@gatehouse/testing/fixture';
import { post, startProxy } from './harness.ts';
import { answerOk, ping, startUpstream } from './passed-through.ts';

const CLIENT = { id: 'mcp-client', secret: 'of-the-client', redirectUris: ['http://127.0.0.1/callback'] };

describeWhen(findDex(), 'a proxy with dex as its issuer', (program) => {
  let dex: Dex;
  beforeAll(async () => {
    dex = await startDex(program, CLIENT, ['alice']);
  });
  afterAll(() => dex.stop());

  const start = async (audience: string, acceptsIdTokens = true) => {
    const subjects: string[] = [];
    const server = await startUpstream(answerOk);
    const { url } = await startProxy({
      upstream: { kind: 'http', url: server.url },
      authentication: { issuer: dex.issuer, audience, acceptsIdTokens, allowPrivateAddresses: true },
      audit: { component: 'test', write: (line) => void subjects.push(line) },
    });
    const call = async (token: string) => {
      const response = await post(url, ping, { authorization: `Bearer ${token}` });
      await response.arrayBuffer();
      return response.status;
    };
    return { call, subjects };
  };

  it('accepts an access token for its audience', async () => {
    const { call, subjects } = await start(CLIENT.id);
    expect(await call(await dex.fetchToken('alice'))).toBe(200);
    expect(subjects.join('')).toContain(dex.getSubject('alice'));
  });

  it('refuses its access tokens, which look like ID tokens, unless these are accepted', async () => {
    expect(await (await start(CLIENT.id, false)).call(await dex.fetchToken('alice'))).toBe(401);
  });

  it('refuses a token for another audience, and a changed one', async () => {
    const token = await dex.fetchToken('alice');
    expect(await (await start('another')).call(token)).toBe(401);
    expect(await (await start(CLIENT.id)).call(token.replace(/..$/, 'xx'))).toBe(401);
  });

  it('accepts tokens of new keys after a restart of dex', async () => {
    const { call } = await start(CLIENT.id);
    expect(await call(await dex.fetchToken('alice'))).toBe(200);
    await dex.restart();
    expect(await call(await dex.fetchToken('alice'))).toBe(200);
  });
});
