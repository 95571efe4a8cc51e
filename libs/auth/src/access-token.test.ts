import { describe, expect, it } from '@jest/globals';
import { AUDIENCE, local, matchAuthError, setUp, createToken } from './tokens.fixture.ts';

const RESOURCE = 'https://gateway.example.test/mcp';

describe('TokenVerifier with a resource', () => {
  it.each([RESOURCE, `${RESOURCE}/`, [RESOURCE, 'other']])('accepts the resource as audience: %j', async (aud) => {
    const { verifier } = setUp();
    expect((await verifier.verify(await createToken({ aud }), RESOURCE)).subject).toBe('alice');
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
  ])('refuses the audience %j', async (aud) => {
    const { verifier } = setUp();
    await expect(verifier.verify(await createToken({ aud }), RESOURCE)).rejects.toMatchObject(
      matchAuthError('wrong_audience'),
    );
  });

  it('checks the audience for each resource, also of a verified token', async () => {
    const { verifier } = setUp();
    const one = await createToken({ aud: RESOURCE });
    await verifier.verify(one, RESOURCE);
    expect(verifier.recall(one, RESOURCE)?.subject).toBe('alice');
    expect(verifier.recall(one)).toBeUndefined();
    expect(verifier.recall(one, 'https://gateway.example.test/mcp/files')).toBeUndefined();
    await expect(verifier.verify(one)).rejects.toMatchObject(matchAuthError('wrong_audience'));
    expect((await verifier.verify(await createToken({ aud: AUDIENCE }), RESOURCE)).audiences).toEqual([AUDIENCE]);
  });

  it('does not accept an empty audience without a resource', async () => {
    const { verifier } = setUp();
    for (const aud of ['', '/'])
      await expect(verifier.verify(await createToken({ aud }), '')).rejects.toMatchObject(
        matchAuthError('wrong_audience'),
      );
  });
});

describe('TokenVerifier with other tokens of the issuer', () => {
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
  ])('refuses the claims %j', async (claims) => {
    const { verifier } = setUp();
    await expect(verifier.verify(await createToken(claims))).rejects.toMatchObject(matchAuthError('bad_claims'));
  });

  it.each<Record<string, unknown>>([
    { typ: 'Bearer', azp: 'c' },
    { typ: 'DPoP' },
    { token_use: 'access' },
    { nonce: 'x', scope: 'openid' },
    { at_hash: 'x', scp: 'user.read' },
    { nonce: 'x', scp: ['user.read'] },
  ])('accepts the claims %j', async (claims) => {
    const { verifier } = setUp();
    expect((await verifier.verify(await createToken(claims))).subject).toBe('alice');
  });
});

describe('TokenVerifier with access_token_type at+jwt', () => {
  const strict = { issuers: [{ ...local, access_token_type: 'at+jwt' as const }] };

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])('accepts the type %s', async (typ) => {
    expect((await setUp(strict).verifier.verify(await createToken({}, { typ }))).subject).toBe('alice');
  });

  it.each([undefined, 'JWT', 'application/jwt', '', 'at'])('refuses the type %j', async (typ) => {
    const { verifier, provider } = setUp(strict);
    const one = await createToken({}, typ === undefined ? {} : { typ });
    await expect(verifier.verify(one)).rejects.toMatchObject(matchAuthError('unsupported_header'));
    expect(provider.requestedUrls).toEqual([]);
  });
});

describe('VerifiedToken.clientId', () => {
  it.each<[Record<string, unknown>, string | undefined]>([
    [{ client_id: 'one' }, 'one'],
    [{ azp: 'one' }, 'one'],
    [{ client_id: 'one', azp: 'one' }, 'one'],
    [{}, undefined],
  ])('is client_id, otherwise azp: %j', async (claims, client) => {
    expect((await setUp().verifier.verify(await createToken(claims))).clientId).toBe(client);
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
  ])('must be one usable text: %j', async (claims) => {
    await expect(setUp().verifier.verify(await createToken(claims))).rejects.toMatchObject(
      matchAuthError('bad_claims'),
    );
  });
});
