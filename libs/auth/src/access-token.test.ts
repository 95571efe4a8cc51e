import { describe, expect, it } from '@jest/globals';
import { AUDIENCE, local, refused, setUp, token } from './tokens.fixture.ts';

const RESOURCE = 'https://gateway.example.test/mcp';

describe('the audience of a token', () => {
  it.each([RESOURCE, `${RESOURCE}/`, [RESOURCE, 'other']])('may be the resource itself: %j', async (aud) => {
    const { verifier } = setUp();
    expect((await verifier.verify(await token({ aud }), RESOURCE)).subject).toBe('alice');
  });

  it.each([
    'other',
    `${RESOURCE}/files`,
    'https://gateway.example.test',
    'https://GATEWAY.example.test/mcp',
    '',
    [],
    ['other', 3],
    { aud: RESOURCE },
    undefined,
  ])('is refused when it is neither: %j', async (aud) => {
    const { verifier } = setUp();
    await expect(verifier.verify(await token({ aud }), RESOURCE)).rejects.toMatchObject(refused('wrong_audience'));
  });

  it('is the one of each resource, also for a token that was verified for another one', async () => {
    const { verifier } = setUp();
    const one = await token({ aud: RESOURCE });
    await verifier.verify(one, RESOURCE);
    expect(verifier.recall(one, RESOURCE)?.subject).toBe('alice');
    expect(verifier.recall(one)).toBeUndefined();
    expect(verifier.recall(one, 'https://gateway.example.test/mcp/files')).toBeUndefined();
    await expect(verifier.verify(one)).rejects.toMatchObject(refused('wrong_audience'));
    expect((await verifier.verify(await token({ aud: AUDIENCE }), RESOURCE)).audiences).toEqual([AUDIENCE]);
  });

  it('is never an empty resource', async () => {
    const { verifier } = setUp();
    for (const aud of ['', '/'])
      await expect(verifier.verify(await token({ aud }), '')).rejects.toMatchObject(refused('wrong_audience'));
  });
});

describe('an ID token', () => {
  it.each<Record<string, unknown>>([
    { typ: 'ID' },
    { typ: 'ID', scope: 'openid' },
    { typ: 'Refresh' },
    { typ: 'Offline' },
    { typ: 'Logout' },
    { token_use: 'id' },
    { at_hash: 'x' },
    { c_hash: 'x' },
    { nonce: 'x' },
    { nonce: '' },
  ])('is not taken as an access token: %j', async (claims) => {
    const { verifier } = setUp();
    await expect(verifier.verify(await token(claims))).rejects.toMatchObject(refused('bad_claims'));
  });

  it.each<Record<string, unknown>>([
    { typ: 'Bearer', azp: 'c' },
    { typ: 'DPoP' },
    { token_use: 'access' },
    { nonce: 'x', scope: 'openid' },
    { at_hash: 'x', scp: 'user.read' },
    { nonce: 'x', scp: ['user.read'] },
  ])('is told from an access token: %j', async (claims) => {
    const { verifier } = setUp();
    expect((await verifier.verify(await token(claims))).subject).toBe('alice');
  });
});

describe('an issuer whose access tokens are at+jwt', () => {
  const strict = { issuers: [{ ...local, access_token_type: 'at+jwt' as const }] };

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])('is believed with the type %s', async (typ) => {
    expect((await setUp(strict).verifier.verify(await token({}, { typ }))).subject).toBe('alice');
  });

  it.each([undefined, 'JWT', 'application/jwt', '', 'at'])('is not believed with the type %j', async (typ) => {
    const { verifier, provider } = setUp(strict);
    const one = await token({}, typ === undefined ? {} : { typ });
    await expect(verifier.verify(one)).rejects.toMatchObject(refused('unsupported_header'));
    expect(provider.asked).toEqual([]);
  });
});

describe('the client of a token', () => {
  it.each<[Record<string, unknown>, string | undefined]>([
    [{ client_id: 'one' }, 'one'],
    [{ azp: 'one' }, 'one'],
    [{ client_id: 'one', azp: 'one' }, 'one'],
    [{}, undefined],
  ])('is client_id, else azp: %j', async (claims, client) => {
    expect((await setUp().verifier.verify(await token(claims))).clientId).toBe(client);
  });

  it.each<Record<string, unknown>>([
    { client_id: 'one', azp: 'two' },
    { client_id: 'one', azp: 'One' },
    { client_id: '' },
    { client_id: null },
    { client_id: ['one'] },
    { azp: 3 },
    { azp: 'a\nb' },
    { client_id: 'one', azp: null },
    { client_id: 'x'.repeat(256) },
  ])('is one usable text: %j', async (claims) => {
    await expect(setUp().verifier.verify(await token(claims))).rejects.toMatchObject(refused('bad_claims'));
  });
});
