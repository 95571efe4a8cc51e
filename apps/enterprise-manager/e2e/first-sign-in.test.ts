import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY_CLIENT, startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Profile {
  issuer: string;
  subject: string;
  active: boolean;
  id?: string;
  user_name?: string;
  display_name?: string;
  email?: string;
  source?: string;
  groups: { id: string }[];
}
interface Entry {
  id: string;
  subject: string | null;
  user_name: string;
  source: string;
  active: boolean;
}

const createIssuersSetting = (issuers: readonly (readonly [TestIssuer, object])[]) =>
  JSON.stringify(
    issuers.map(([{ issuer }, settings], at) => ({
      id: `issuer-${at}`,
      issuer,
      roles: { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } },
      ...settings,
    })),
  );

describe('the first sign-in', () => {
  let manager: TestManager;
  let byEmail: TestIssuer;
  let open: TestIssuer;
  let other: TestIssuer;
  beforeAll(async () => {
    [byEmail, open, other] = await Promise.all([startIssuer(), startIssuer(), startIssuer()]);
    manager = await startManager({
      people: [],
      gatewaysFor: () => [
        {
          id: 'local',
          display_name: 'Local',
          kind: 'connector',
          client_ids: [byEmail, open].map(({ issuer }) => ({ issuer, client_id: GATEWAY_CLIENT })),
        },
      ],
      environment: {
        ISSUERS: createIssuersSetting([
          [byEmail, { binding: { claim: 'email', attribute: 'emails' } }],
          [open, { binding: { claim: 'oid', attribute: 'externalId' }, just_in_time: true }],
          [other, {}],
        ]),
      },
    });
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    await Promise.all([byEmail, open, other].map((issuer) => issuer.close()));
  });

  const readProfile = async (token: string) => (await manager.client.call<Profile>('GET /v1/me', { token })).body;
  /** Inserts an entry as provisioning creates it. */
  const provision = async (
    issuer: TestIssuer,
    binding_key: string | null,
    extra: { name?: string; active?: boolean } = {},
  ) => {
    const name = extra.name ?? `provisioned ${randomUUID()}`;
    const [row] = await manager.sql<{ id: string }>(
      `INSERT INTO users (id, issuer, binding_key, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $3, $3, 'scim', $4, $3, now(), now()) RETURNING id`,
      [issuer.issuer, binding_key, name, extra.active ?? true],
    );
    return row?.id ?? '';
  };
  const listEntries = (issuer: TestIssuer) =>
    manager.sql<Entry>('SELECT id, subject, user_name, source, active FROM users WHERE issuer = $1 ORDER BY id', [
      issuer.issuer,
    ]);
  const listAuditEvents = (subject: string) =>
    manager.sql('SELECT operation, object_id, changed_fields FROM audit_events WHERE subject = $1 AND outcome = $2', [
      subject,
      'succeeded',
    ]);
  const createAddress = () => `${randomUUID()}@corp.example`;

  it('binds a provisioned entry to the subject whose token has its email address, ignoring case', async () => {
    const email = createAddress();
    const id = await provision(byEmail, email);
    const token = await byEmail.token({ subject: 'opaque-1', email: email.toUpperCase() });
    expect(await readProfile(token)).toMatchObject({ id, active: true, subject: 'opaque-1', source: 'scim' });
    expect(await listAuditEvents('opaque-1')).toEqual([
      { operation: 'Bind user at first sign-in', object_id: id, changed_fields: ['subject'] },
    ]);
    // From now on the subject identifies the user; either address may change.
    expect(await readProfile(await byEmail.token({ subject: 'opaque-1', email: createAddress() }))).toMatchObject({
      id,
    });
    await manager.sql('UPDATE users SET binding_key = $2 WHERE id = $1', [id, createAddress()]);
    expect(await readProfile(token)).toMatchObject({ id, active: true });
    expect(await listAuditEvents('opaque-1')).toHaveLength(1);
  });

  it('does not rebind an entry to the next owner of an address', async () => {
    const email = createAddress();
    const id = await provision(byEmail, email);
    expect(await readProfile(await byEmail.token({ subject: 'first-owner', email }))).toMatchObject({ id });
    expect(await readProfile(await byEmail.token({ subject: 'next-owner', email }))).toEqual({
      issuer: byEmail.issuer,
      subject: 'next-owner',
      active: false,
      groups: [],
      roles: ['user'],
    });
    expect((await listEntries(byEmail)).find((entry) => entry.id === id)?.subject).toBe('first-owner');
  });

  it.each([
    ['with email_verified false', { email_verified: false }],
    ['with email_verified "false"', { email_verified: 'false' }],
    ['with email_verified "False"', { email_verified: 'False' }],
    ['with email_verified 1', { email_verified: 1 }],
    ['that is a list', (email: string) => ({ email: [email] })],
    ['with a look-alike letter', (email: string) => ({ email: email.replace('corp', 'ｃorp') })],
    ['with a space before it', (email: string) => ({ email: ` ${email}` })],
    ['with a NUL character after it', (email: string) => ({ email: `${email}\u0000` })],
    ['of 4,000 characters', { email: 'x'.repeat(4_000) }],
  ])('does not bind an entry by an address %s', async (_, claims) => {
    const email = createAddress();
    const id = await provision(byEmail, email);
    const token = await byEmail.token({
      subject: `thief of ${email}`,
      email,
      claims: typeof claims === 'function' ? claims(email) : claims,
    });
    expect(await readProfile(token)).toMatchObject({ active: false, groups: [], roles: ['user'] });
    expect((await listEntries(byEmail)).find((entry) => entry.id === id)?.subject).toBeNull();
  });

  it('does not bind an entry of another issuer', async () => {
    const email = createAddress();
    await provision(byEmail, email);
    expect(await readProfile(await other.token({ subject: 'from elsewhere', email }))).not.toHaveProperty('id');
    expect(await readProfile(await open.token({ subject: 'also from elsewhere', email }))).toMatchObject({
      source: 'sign_in',
    });
  });

  it('binds one of several subjects at the same moment, and all their requests return the same entry', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = createAddress();
      const id = await provision(byEmail, email);
      const tokens = await Promise.all(
        ['left', 'right'].map((subject) => byEmail.token({ subject: `${subject} ${email}`, email })),
      );
      const profiles = await Promise.all(Array.from({ length: 16 }, (_, at) => readProfile(tokens[at % 2] ?? '')));
      const winners = new Set(profiles.filter((profile) => profile.id === id).map(({ subject }) => subject));
      expect(winners.size).toBe(1);
      expect(profiles.filter((profile) => profile.id === id)).toHaveLength(8);
      const rows = await manager.sql('SELECT 1 FROM audit_events WHERE object_id = $1', [id]);
      expect(rows).toHaveLength(1);
    }
  });

  it('binds an inactive entry without activating it', async () => {
    const email = createAddress();
    const id = await provision(byEmail, email, { active: false });
    expect(await readProfile(await byEmail.token({ subject: `left ${email}`, email }))).toMatchObject({
      id,
      active: false,
      groups: [],
      roles: ['user'],
    });
  });

  it('creates no entry if just-in-time creation is off', async () => {
    const before = await listEntries(other);
    expect(await readProfile(await other.token({ subject: 'new here' }))).not.toHaveProperty('id');
    expect(await listEntries(other)).toEqual(before);
  });

  it('creates one entry from the claims for many parallel requests if just-in-time creation is on', async () => {
    const subject = `newcomer ${randomUUID()}`;
    const token = await open.token({
      subject,
      email: 'New.Comer@corp.example',
      name: 'New Comer',
      claims: { preferred_username: 'newcomer' },
    });
    const profiles = await Promise.all(Array.from({ length: 12 }, () => readProfile(token)));
    expect(new Set(profiles.map(({ id }) => id)).size).toBe(1);
    expect(profiles[0]).toMatchObject({
      active: true,
      source: 'sign_in',
      user_name: 'newcomer',
      display_name: 'New Comer',
      email: 'New.Comer@corp.example',
    });
    expect(await listAuditEvents(subject)).toEqual([
      {
        operation: 'Create user at first sign-in',
        object_id: profiles[0]?.id,
        changed_fields: ['user_name', 'display_name', 'email'],
      },
    ]);
    const users = await manager.client.call<{ items: Profile[] }>('GET /v1/users', {
      token: await open.token({ subject: 'auditor', roles: ['auditor'] }),
      query: { source: 'sign_in', search: 'new comer' },
    });
    expect(users.body.items.map(({ id }) => id)).toEqual([profiles[0]?.id]);
  });

  it('uses a provisioned entry instead of creating another', async () => {
    const id = await provision(open, 'object-7');
    expect(await readProfile(await open.token({ subject: 'seven', claims: { oid: 'object-7' } }))).toMatchObject({
      id,
      source: 'scim',
    });
  });

  it('creates a separate entry for the next owner of a binding value', async () => {
    const id = await provision(open, 'object-8');
    expect(await readProfile(await open.token({ subject: 'eight', claims: { oid: 'object-8' } }))).toMatchObject({
      id,
    });
    const next = await readProfile(await open.token({ subject: 'another eight', claims: { oid: 'object-8' } }));
    expect(next).toMatchObject({ source: 'sign_in', active: true });
    expect(next.id).not.toBe(id);
  });

  it('gives different names to two users with the same user name', async () => {
    const signIn = async (subject: string) =>
      readProfile(await open.token({ subject, claims: { preferred_username: 'Same.Name' } }));
    expect(await signIn('same 1')).toMatchObject({ user_name: 'Same.Name' });
    const second = await signIn('same 2');
    expect(second.user_name).toMatch(/^Same\.Name~[0-9a-f]{12}$/);
    expect((await signIn('same 2')).id).toBe(second.id);
  });

  it('does not recreate a deactivated user', async () => {
    const token = await open.token({ subject: 'leaver', claims: { preferred_username: 'leaver' } });
    const { id } = await readProfile(token);
    await manager.sql('UPDATE users SET active = FALSE WHERE id = $1', [id]);
    expect(await readProfile(token)).toMatchObject({ id, active: false, groups: [], roles: ['user'] });
    // Another subject or binding with the same user name is refused too.
    await provision(open, null, { name: 'gone before', active: false });
    const back = await open.token({ subject: 'new-subject', claims: { preferred_username: 'GONE before' } });
    const response = await readProfile(back);
    expect(response).not.toHaveProperty('id');
    const refused = await manager.client.call('GET /v1/me/connections', { token: back });
    expect([refused.status, refused.body]).toEqual([403, { error: 'no active directory entry' }]);
  });

  it('does not recreate a removed user until the user is provisioned again', async () => {
    const token = await open.token({ subject: 'removed', claims: { preferred_username: 'removed', oid: 'object-9' } });
    const { id } = await readProfile(token);
    await manager.sql('DELETE FROM users WHERE id = $1', [id]);
    expect(await readProfile(token)).toEqual({
      issuer: open.issuer,
      subject: 'removed',
      active: false,
      groups: [],
      roles: ['user'],
    });
    const again = await provision(open, 'object-9');
    expect(await readProfile(token)).toMatchObject({ id: again, source: 'scim', active: true });
  });

  it('does not create a user who was removed before the first sign-in', async () => {
    const unseen = await provision(open, 'object-10');
    await manager.sql('DELETE FROM users WHERE id = $1', [unseen]);
    const late = await open.token({ subject: 'came late', claims: { oid: 'object-10' } });
    expect(await readProfile(late)).toEqual({
      issuer: open.issuer,
      subject: 'came late',
      active: false,
      groups: [],
      roles: ['user'],
    });
    const again = await provision(open, 'object-10');
    expect(await readProfile(late)).toMatchObject({ id: again, source: 'scim', active: true });
  });

  it('falls back to the subject if the claims contain no usable name', async () => {
    const token = await open.token({
      subject: 'plain-subject',
      name: 'two\nlines',
      email: 'no address',
      claims: { preferred_username: '\u200b', email_verified: true },
    });
    expect(await readProfile(token)).toMatchObject({ user_name: 'plain-subject', display_name: 'plain-subject' });
    const unverified = await open.token({
      subject: 'unverified-subject',
      email: 'ceo@corp.example',
      claims: { email_verified: false },
    });
    const profile = await readProfile(unverified);
    expect(profile).toMatchObject({ user_name: 'unverified-subject' });
    expect(profile).not.toHaveProperty('email');
  });

  it('creates and binds no entry for a gateway token', async () => {
    const email = createAddress();
    await provision(byEmail, email);
    const before = [await listEntries(open), await listEntries(byEmail)];
    for (const issuer of [open, byEmail]) {
      const token = await issuer.token({ subject: 'plane', roles: ['gateway'], email });
      expect((await manager.client.call('GET /v1/me', { token })).status).toBe(403);
      const entitlements = await manager.client.call('GET /gateway/v1/gateways/{gateway_id}/entitlements', {
        token,
        path: { gateway_id: 'local' },
        query: { issuer: issuer.issuer, subject: 'plane' },
      });
      expect(entitlements.status).toBe(404);
    }
    expect([await listEntries(open), await listEntries(byEmail)]).toEqual(before);
  });

  describe('at a gateway', () => {
    const requestEntitlements = async (query: Record<string, string>) =>
      manager.client.call<{ user_id: string; subject?: string; active: boolean }>(
        'GET /gateway/v1/gateways/{gateway_id}/entitlements',
        { token: await byEmail.token({ subject: 'plane', roles: ['gateway'] }), path: { gateway_id: 'local' }, query },
      );

    it('binds an entry by the claim that the snapshot names and whose value the request contains', async () => {
      const snapshot = await manager.client.call<{ binding_claims: Record<string, string> }>(
        'GET /gateway/v1/gateways/{gateway_id}/snapshot',
        { token: await byEmail.token({ subject: 'plane', roles: ['gateway'] }), path: { gateway_id: 'local' } },
      );
      expect(snapshot.body.binding_claims).toEqual({ [byEmail.issuer]: 'email', [open.issuer]: 'oid' });

      const email = createAddress();
      const id = await provision(byEmail, email);
      const person = { issuer: byEmail.issuer, subject: `by gateway ${email}` };
      expect((await requestEntitlements(person)).status).toBe(404);
      expect((await requestEntitlements({ ...person, binding: email })).body).toMatchObject({
        user_id: id,
        active: true,
        subject: person.subject,
      });
      expect((await requestEntitlements(person)).body).toMatchObject({ user_id: id });
      expect((await requestEntitlements({ ...person, subject: 'another', binding: email })).status).toBe(404);
      const [row] = await manager.sql('SELECT issuer, subject, request_id FROM audit_events WHERE object_id = $1', [
        id,
      ]);
      expect(row).toMatchObject(person);
    });

    it('creates no entry, and binds no entry to a subject that equals the binding', async () => {
      expect((await requestEntitlements({ issuer: open.issuer, subject: 'unknown', binding: 'unknown' })).status).toBe(
        404,
      );
      const id = await provision(other, 'value');
      expect((await requestEntitlements({ issuer: other.issuer, subject: 'unknown', binding: 'value' })).status).toBe(
        404,
      );
      expect(
        (await requestEntitlements({ issuer: 'https://elsewhere.test', subject: 'x', binding: 'value' })).status,
      ).toBe(404);
      expect((await listEntries(other)).find((entry) => entry.id === id)?.subject).toBeNull();
      const tooLong = await requestEntitlements({ issuer: byEmail.issuer, subject: 'x', binding: 'y'.repeat(1_025) });
      expect([tooLong.status, tooLong.body]).toEqual([400, { error: expect.stringContaining('binding') }]);
    });
  });
});
