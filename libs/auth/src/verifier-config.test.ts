import { describe, expect, it } from '@jest/globals';
import { TokenVerifier } from './token-verifier.ts';
import {
  AUDIENCE,
  ec,
  ISSUER,
  local,
  Provider,
  matchAuthError,
  toSeconds,
  setUp,
  createToken,
} from './tokens.fixture.ts';
import type { RoleResolver } from './roles.ts';
import type { IssuerConfig } from './verifier-config.ts';

const OTHER = 'https://other.example.test';

describe('TokenVerifier.configure', () => {
  it('replaces issuers, audiences and roles for the next verification', async () => {
    const { verifier } = setUp();
    const one = await createToken({ aud: 'second', roles: ['admin', 'boss'] });
    await expect(verifier.verify(one)).rejects.toMatchObject(matchAuthError('wrong_audience'));
    verifier.configure({
      issuers: [{ ...local, roles: { claim: 'roles', values: { auditor: ['boss'] } } }],
      audience: ['first', 'second'],
    });
    expect([...(await verifier.verify(one)).roles]).toEqual(['user', 'auditor']);
    verifier.configure({ issuers: [{ id: 'other', issuer: OTHER }], audience: 'second' });
    await expect(verifier.verify(one)).rejects.toMatchObject(matchAuthError('unknown_issuer'));
    expect(verifier.administrationConfigured).toBe(false);
  });

  it('forgets verified tokens', async () => {
    const { verifier } = setUp();
    const one = await createToken();
    await verifier.verify(one);
    verifier.configure({ issuers: [{ ...local, id: 'renamed' }], audience: AUDIENCE });
    expect(verifier.recall(one)).toBeUndefined();
    expect((await verifier.verify(one)).issuerId).toBe('renamed');
    verifier.configure({ issuers: [local], audience: 'other' });
    expect(verifier.recall(one)).toBeUndefined();
    await expect(verifier.verify(one)).rejects.toMatchObject(matchAuthError('wrong_audience'));
  });

  it('keeps the key sets of unchanged issuers, and their limit of requests', async () => {
    const { verifier, provider } = setUp();
    await verifier.verify(await createToken());
    const requestsBefore = provider.requestedUrls.length;
    for (let change = 0; change < 5; change += 1) {
      verifier.configure({ issuers: [local, { id: `new-${change}`, issuer: OTHER }], audience: AUDIENCE });
      await verifier.verify(await createToken({ sub: `user-${change}` }));
      await verifier.verify(await createToken({}, { kid: `unknown-${change}` })).catch(() => undefined);
    }
    // One request for the first unknown key.
    expect(provider.requestedUrls.slice(requestsBefore)).toEqual([
      `${ISSUER}/.well-known/openid-configuration`,
      `${ISSUER}/keys`,
    ]);
  });

  it('requests the keys again when their address changes', async () => {
    const { verifier, provider } = setUp();
    await verifier.verify(await createToken());
    const requestsBefore = provider.requestedUrls.length;
    verifier.configure({ issuers: [{ ...local, jwks_uri: `${ISSUER}/keys` }], audience: AUDIENCE });
    await verifier.verify(await createToken());
    expect(provider.requestedUrls.slice(requestsBefore)).toEqual([`${ISSUER}/keys`]);
  });

  it('lets a verification in flight finish by the new configuration', async () => {
    const { verifier } = setUp({}, new Provider([ec.jwk]));
    const one = await createToken({ roles: ['admin'], exp: toSeconds(300) });
    const running = verifier.verify(one);
    verifier.configure({ issuers: [{ id: 'renamed', issuer: ISSUER }], audience: AUDIENCE });
    for (const facts of [await running, verifier.recall(one)])
      expect([facts?.issuerId, facts?.roles.has('admin')]).toEqual(['renamed', false]);
  });

  it('repeats a verification that the old configuration refused', async () => {
    const { verifier } = setUp({ audience: 'other' }, new Provider([ec.jwk]));
    const running = verifier.verify(await createToken());
    verifier.configure({ issuers: [local], audience: AUDIENCE });
    expect((await running).subject).toBe('alice');
  });

  it('refuses every token while it has no configuration', async () => {
    const { verifier } = setUp();
    const one = await createToken();
    await verifier.verify(one);
    const running = verifier.verify(await createToken({ sub: 'bob' }));
    verifier.configure({ missing: 'the gateway does not exist' });
    expect([verifier.missing, verifier.recall(one)]).toEqual(['the gateway does not exist', undefined]);
    const refusal = { ...matchAuthError('not_configured'), message: 'the gateway does not exist' };
    for (const verify of [() => running, () => verifier.verify(one), () => verifier.verify('garbage')])
      await expect(verify()).rejects.toMatchObject(refusal);
    verifier.configure({ issuers: [local], audience: AUDIENCE });
    expect(verifier.missing).toBeUndefined();
    expect((await verifier.verify(one)).subject).toBe('alice');
  });

  it('gives the roles that a function of the claims returns', async () => {
    const { verifier } = setUp();
    const resolveRoles: RoleResolver = ({ groups }) => (groups === 'editors' ? ['policyEditor', 'authenticated'] : []);
    verifier.configure({ issuers: [{ ...local, roles: resolveRoles }], audience: AUDIENCE });
    const readRoles = async (claims: Record<string, unknown>) => [
      ...(await verifier.verify(await createToken(claims))).roles,
    ];
    expect(await readRoles({ groups: 'editors' })).toEqual(['user', 'policyEditor', 'authenticated']);
    expect(await readRoles({ roles: ['admin'] })).toEqual(['user']);
    expect(verifier.administrationConfigured).toBe(true);
  });

  it('keeps the old configuration when the new one contradicts itself', async () => {
    const { verifier } = setUp();
    expect(() => verifier.configure({ issuers: [], audience: AUDIENCE })).toThrow(RangeError);
    expect((await verifier.verify(await createToken())).issuerId).toBe('local');
  });
});

describe('new TokenVerifier', () => {
  const make = (issuers: IssuerConfig[]) => () => new TokenVerifier({ issuers, audience: AUDIENCE, fetch });
  const introspection = { endpoint: `${OTHER}/introspect`, client_id: 'id', client_secret: 'secret' };
  const other: IssuerConfig = { id: 'other', issuer: OTHER };
  const mapped = (issuers: string[]): IssuerConfig => ({
    ...other,
    user_mapping: { issuers, user: { subject_claim: 'sub' } },
  });

  it.each<[string, IssuerConfig[], string]>([
    ['no issuer', [], 'at least one token issuer'],
    ['an issuer twice', [local, { ...local, id: 'again' }], 'listed twice'],
    ['an id twice', [local, { ...other, id: 'local' }], 'two token issuers have the id local'],
    [
      'two issuers for opaque tokens',
      [
        { ...local, introspection },
        { ...other, introspection },
      ],
      'opaque tokens',
    ],
    ['a mapping to an unknown issuer', [local, mapped(['https://unknown.example.test'])], 'is not configured'],
    ['a mapping to itself', [local, mapped([OTHER])], 'are themselves mapped'],
    ['a mapping to several issuers without a claim', [local, mapped([ISSUER, OTHER])], 'issuer_claim'],
    ['a mapping to no issuer', [local, mapped([])], 'name one issuer'],
  ])('refuses a configuration with %s', (_, issuers, message) => {
    expect(make(issuers)).toThrow(message);
  });

  it('needs no configuration at its start', () => {
    const verifier = new TokenVerifier({ missing: 'not read yet', fetch });
    expect([verifier.missing, verifier.administrationConfigured]).toEqual(['not read yet', false]);
  });

  it('reports whether a token can have the role admin or auditor', () => {
    expect(make([local])().administrationConfigured).toBe(true);
    expect(make([other])().administrationConfigured).toBe(false);
    const gateways = { claim: 'r', values: { gateway: ['g'] } };
    expect(make([{ ...other, roles: gateways }])().administrationConfigured).toBe(false);
  });
});
