import { describe, expect, it } from '@jest/globals';
import { compileGrants } from '@gatehouse/policy/grants';
import fc from 'fast-check';
import type { Connector, Entitlements } from '../ports/snapshot.ts';
import { Access, Rules } from './access.ts';

const person = { issuer: 'https://issuer.test', subject: 'alice', claims: { email: 'alice@example.test' } };

const connector = (id: string): Connector => ({
  id,
  slug: `slug-${id}`,
  name: id,
  endpoint: 'https://upstream.test/mcp',
  transport: 'streamable-http',
  auth: { type: 'none' },
  allow_private_ips: false,
});

const entitlements = (
  groups: string[],
  own: Partial<Entitlements['connections'][number]>[],
  active = true,
): Entitlements => ({
  user_id: 'u1',
  issuer: person.issuer,
  subject: person.subject,
  active,
  groups,
  connections: own.map((connection) => ({
    connector_id: 'c1',
    enabled: true,
    tools_enabled_by_default: true,
    tools_exception_list: [],
    updated_at: '2026-01-01T00:00:00Z',
    version: 1,
    ...connection,
  })),
  cleared_connections: [],
  version: '1',
});

const rules = (documents: Record<string, string>): Promise<Rules> =>
  Rules.parse({
    connectors: Object.keys(documents).map(connector),
    policies: Object.entries(documents).map(([connector_id, document]) => ({ connector_id, version: 1, document })),
    claim_mapping: { email: 'String' },
  });

const granted = { c1: compileGrants('c1', ['g1']) };
const tool = (name: string) => ({ kind: 'tool', name }) as const;

describe('Access', () => {
  it('requires the grant, the enabled connection and the enabled tool', async () => {
    const ofOneGroup = await rules(granted);
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (inGroup, enabled, active, byDefault, excepted) => {
          const access = new Access(
            ofOneGroup,
            person,
            entitlements(
              inGroup ? ['g1'] : ['g2'],
              [{ enabled, tools_enabled_by_default: byDefault, tools_exception_list: excepted ? ['t'] : [] }],
              active,
            ),
          );
          const visible = inGroup && enabled && active;
          expect(access.listConnectors().length).toBe(visible ? 1 : 0);
          expect(access.isAllowed(connector('c1'), tool('t'))).toBe(visible && byDefault !== excepted);
        },
      ),
    );
  });

  it('refuses every request of a user without a directory entry', async () => {
    const access = new Access(await rules(granted), person, undefined);
    expect(access.listConnectors()).toEqual([]);
    expect(access.canConnect(connector('c1'))).toBe(false);
  });

  it('refuses every request when a policy is missing, unreadable or fails', async () => {
    const broken = await rules({ c1: 'permit(' });
    expect(broken.unreadable).toEqual(['c1']);
    const failing = await rules({
      c1: `${granted.c1} forbid(principal, action, resource) when { principal.claim_department == "x" };`,
    });
    for (const one of [broken, failing, await rules({})]) {
      expect(new Access(one, person, entitlements(['g1'], [{}])).listConnectors()).toEqual([]);
    }
  });

  it("never applies one connector's policy to another", async () => {
    const both = await rules({ c1: granted.c1, c2: 'permit(principal, action, resource);' });
    const access = new Access(both, person, entitlements([], [{}, { connector_id: 'c2' }]));
    expect(access.listConnectors().map(({ id }) => id)).toEqual(['c2']);
  });

  it('narrows by the exact name', async () => {
    const access = new Access(
      await rules(granted),
      person,
      entitlements(['g1'], [{ tools_enabled_by_default: false, tools_exception_list: ['read'] }]),
    );
    expect(['read', 'Read', 'read ', 'rеad'].map((name) => access.isAllowed(connector('c1'), tool(name)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('refuses calls of tools that the user may not list', async () => {
    const document = `permit(principal, action, resource); forbid(principal, action == Action::"list_tools", resource);`;
    const access = new Access(await rules({ c1: document }), person, entitlements([], [{}]));
    expect(access.listConnectors()).toHaveLength(1);
    expect(access.isAllowed(connector('c1'), tool('t'))).toBe(false);
  });
});

describe('Rules of an inconsistent snapshot', () => {
  it('keep each connector once, and none whose slug could be part of a tool name', async () => {
    const first = connector('c1');
    const connectors = [
      first,
      { ...connector('c2'), slug: first.slug },
      { ...connector('c1'), slug: 'other' },
      { ...connector('c3'), slug: 'a__b' },
      { ...connector('c4'), slug: '' },
      { ...connector('c5'), slug: '../c5' },
    ];
    const policies = connectors.map(({ id }) => ({ connector_id: id, version: 1, document: compileGrants(id, ['g']) }));
    const rules = await Rules.parse({ connectors, policies, claim_mapping: {} });
    expect(rules.connectors).toEqual([first]);
  });
});
