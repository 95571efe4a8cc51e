import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import fc from 'fast-check';
import { type ClaimMapping, STANDARD_CLAIMS } from './claims.ts';
import { type AuthorizationRequest, decide } from './decide.ts';
import { DecisionCache } from './decision-cache.ts';
import { compileGrants } from './grants.ts';
import { preparePolicySet } from './policy-set.ts';

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const CLAIMS: ClaimMapping = { ...STANDARD_CLAIMS, level: 'Long' };
const GROUPS = Array.from({ length: 7 }, (_, n) => `aaaaaaaa-0000-4000-8000-00000000000${n}`);
const USERS = ['u0', 'u1', 'u2'];
const NAMES = ['read', 'write', 'drop_table', 'räd"', '', 'a*b\\c', 'd😀d', 'abab_ab'];

/** Memberships. A group may be in groups with higher numbers only, which excludes cycles. */
interface Directory {
  above: readonly (readonly number[])[];
  direct: readonly number[];
}
const directory: fc.Arbitrary<Directory> = fc.record({
  above: fc.tuple(...GROUPS.map((_, n) => fc.subarray(GROUPS.map((__, m) => m).filter((m) => m > n)))),
  direct: fc.subarray(GROUPS.map((_, n) => n)),
});
function expandGroups({ above, direct }: Directory): ReadonlySet<string> {
  const all = new Set(direct);
  for (const n of all) for (const m of above[n] ?? []) all.add(m);
  return new Set([...all].map((n) => GROUPS[n]!));
}

const claims = fc.record(
  {
    email: fc.constantFrom('ann@example.com', 'bob@example.org', ''),
    email_verified: fc.boolean(),
    roles: fc.subarray(['ops', 'dev', '*']),
    level: fc.integer({ min: -3, max: 9 }),
  },
  { requiredKeys: [] },
);
const anyRequest = fc.oneof(
  fc.constantFrom('connect' as const, 'list_tools' as const).map((action): AuthorizationRequest => ({ action })),
  fc
    .tuple(
      fc.constantFrom('call_tool' as const, 'get_prompt' as const, 'read_resource' as const),
      fc.constantFrom(...NAMES),
    )
    .map(([action, name]): AuthorizationRequest => ({ action, name })),
);

const group = fc.constantFrom(...GROUPS).map((id) => `Group::"${id}"`);
const user = fc.constantFrom(...USERS).map((id) => `User::"${id}"`);
const text = fc.constantFrom(...NAMES, 'ann@example.com', 'ops').map((name) => JSON.stringify(name));
const { expression } = fc.letrec<{ expression: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    fc.constantFrom(
      'true',
      'false',
      'principal has claim_email',
      'principal has claim_roles',
      'principal.claim_email_verified',
      'principal.claim_level > 3',
      'principal.claim_level + 9223372036854775805 > 0',
      'principal.claim_level == principal.claim_level * -1',
      'principal.claim_email like "*@example.com"',
      'principal.claim_roles.contains("ops")',
      'principal.claim_roles.containsAll(["dev", "ops"])',
      'resource has name',
      'resource.name like "r*d"',
      'resource.name like "*ab*ab*"',
      'resource.name like "ab*b_*"',
      'resource.name like "*b_a*ab"',
      'resource.name like "a\\*b**"',
      'resource.name like "d😀*d"',
      'resource.name like ""',
      'principal.claim_level like "*"',
      'principal.claim_level <= 2 && principal.claim_level >= -1',
      'principal.claim_email < 3',
      '9007199254740993 == 9007199254740992',
      'principal.claim_level != "3"',
      'principal.claim_roles == ["ops", "dev"]',
      'principal.claim_roles.containsAny(["dev", "*", 3])',
      'principal.claim_roles.isEmpty()',
      '[User::"u1", User::"u2"].contains(principal)',
      '["read", 7, true, Tool::"write"].contains(resource.name)',
      '["read"].contains(["read"])',
      'principal is User && resource is Tool in Connector::"another"',
      'principal is Group in Group::"x"',
      'context has anything',
      'context == {}',
      'principal == resource',
      'principal == "u1"',
      'principal in principal',
      'User::"u1" in Group::"aaaaaaaa-0000-4000-8000-000000000001"',
      'principal in ["u1"]',
      'principal has claim_level && principal.claim_level > 3',
      'resource.uri like "*d*"',
      'resource is Tool',
      `resource in Connector::"${CONNECTOR}"`,
      'resource in Connector::"another"',
      'action == Action::"call_tool"',
      'action in [Action::"connect", Action::"get_prompt"]',
      'decimal("1.5").lessThan(decimal("2.0"))',
      'ip("10.0.0.1").isInRange(ip("10.0.0.0/8"))',
      'Tool::"read".name == "read"',
      'User::"u1" has claim_email',
    ),
    group.map((one) => `principal in ${one}`),
    group.map((one) => `resource in ${one} || action in ${one}`),
    fc.array(group, { maxLength: 3 }).map((all) => `principal in [${all.join(', ')}]`),
    user.map((one) => `principal == ${one}`),
    fc
      .tuple(fc.constantFrom('resource.name', 'principal.claim_email', 'resource.uri'), text)
      .map(([left, right]) => `${left} == ${right}`),
    text.map((one) => `resource == Tool::${one}`),
  ),
  expression: fc.oneof(
    { maxDepth: 3 },
    tie('atom'),
    fc
      .tuple(tie('expression'), fc.constantFrom('&&', '||'), tie('expression'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('expression').map((one) => `!(${one})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `(if ${a} then ${b} else ${c})`),
  ),
}));
const policy = fc
  .record({
    effect: fc.constantFrom('permit', 'permit', 'forbid'),
    principal: fc.oneof(
      fc.constantFrom('principal', 'principal is User'),
      group.map((one) => `principal in ${one}`),
      group.map((one) => `principal is User in ${one}`),
      user.map((one) => `principal == ${one}`),
    ),
    action: fc.constantFrom(
      'action',
      'action',
      'action == Action::"call_tool"',
      'action in [Action::"connect", Action::"read_resource"]',
    ),
    resource: fc.constantFrom(
      'resource',
      'resource',
      `resource in Connector::"${CONNECTOR}"`,
      'resource is Tool',
      'resource == Tool::"read"',
    ),
    conditions: fc.array(fc.tuple(fc.constantFrom('when', 'unless'), expression), { maxLength: 2 }),
  })
  .map(
    ({ effect, principal, action, resource, conditions }) =>
      `${effect}(${principal}, ${action}, ${resource})${conditions.map(([word, one]) => ` ${word} { ${one} }`).join('')};`,
  );

const KINDS = { call_tool: 'Tool', get_prompt: 'Prompt', read_resource: 'Resource' } as const;

/**
 * Cedar's decision about the text with the whole directory: direct memberships, groups with their
 * parents, all claims.
 */
function decideWithCedar(
  document: string,
  who: { user: string; directory: Directory; claims: object },
  request: AuthorizationRequest,
) {
  const connector = { type: 'Connector', id: CONNECTOR };
  const resource = 'name' in request ? { type: KINDS[request.action], id: request.name } : connector;
  const attributes = Object.fromEntries(Object.entries(who.claims).map(([claim, value]) => [`claim_${claim}`, value]));
  const getEntityUid = (n: number) => ({ type: 'Group', id: GROUPS[n]! });
  const answer = cedar.isAuthorized({
    principal: { type: 'User', id: who.user },
    action: { type: 'Action', id: request.action },
    resource,
    context: {},
    policies: { staticPolicies: document },
    entities: [
      {
        uid: { type: 'User', id: who.user },
        attrs: attributes,
        parents: who.directory.direct.map(getEntityUid),
      },
      ...GROUPS.map((_, n) => ({
        uid: getEntityUid(n),
        attrs: {},
        parents: who.directory.above[n]!.map(getEntityUid),
      })),
      { uid: connector, attrs: {}, parents: [] },
      ...('name' in request
        ? [
            {
              uid: resource,
              attrs: { [request.action === 'read_resource' ? 'uri' : 'name']: request.name },
              parents: [connector],
            },
          ]
        : []),
    ],
  });
  if (answer.type === 'failure') throw new Error(JSON.stringify(answer.errors));
  const { decision, diagnostics } = answer.response;
  return {
    decision,
    reasons: diagnostics.reason.sort(),
    failed: diagnostics.errors.map(({ policyId }) => policyId).sort(),
  };
}

const scene = fc.record({ user: fc.constantFrom(...USERS), directory, claims });

describe('decide, compared with Cedar on the whole document and directory', () => {
  it('gives the same decisions, cached or not', () => {
    const cache = new DecisionCache(50);
    const seen = { allow: 0, deny: 0, error: 0 };
    fc.assert(
      fc.property(
        fc.array(policy, { maxLength: 6 }),
        scene,
        fc.array(anyRequest, { minLength: 1, maxLength: 6 }),
        (policies, who, requests) => {
          const document = policies.join('\n');
          const set = preparePolicySet(CONNECTOR, document, CLAIMS);
          const principal = { userId: who.user, groupIds: expandGroups(who.directory), claims: who.claims };
          for (const request of requests) {
            const truth = decideWithCedar(document, who, request);
            const decision = decide(set, principal, request);
            expect(decision.allowed).toBe(truth.decision === 'allow' && truth.failed.length === 0);
            expect(decision.reasons).toEqual(truth.reasons);
            expect(decision.errors.map((error) => error.split(':')[0]).sort()).toEqual(truth.failed);
            expect(cache.decide(set, principal, request)).toEqual(decision);
            expect(cache.decide(set, principal, request)).toEqual(decision);
            seen[truth.failed.length > 0 ? 'error' : truth.decision] += 1;
          }
        },
      ),
      { numRuns: 800 * effort },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  }, 300_000);

  it('gives the same decisions for compiled grants, with and without other policies', () => {
    const seen = { allow: 0, deny: 0 };
    fc.assert(
      fc.property(
        fc.subarray(GROUPS),
        fc.oneof(fc.constant([]), fc.array(policy, { maxLength: 2 })),
        scene,
        anyRequest,
        (granted, others, who, request) => {
          const document = [compileGrants(CONNECTOR, granted), ...others].join('\n');
          const groupIds = expandGroups(who.directory);
          const decision = decide(
            preparePolicySet(CONNECTOR, document, CLAIMS),
            { userId: who.user, groupIds, claims: who.claims },
            request,
          );
          const truth = decideWithCedar(document, who, request);
          expect(decision.allowed).toBe(truth.decision === 'allow' && truth.failed.length === 0);
          const names = [...granted].sort().map((id) => `grant-${id}`);
          expect(decision.reasons).toEqual(
            truth.reasons.map((id) => names[Number(id.slice('policy'.length))] ?? id).sort(),
          );
          if (others.length > 0) return;
          expect(decision.allowed).toBe(granted.some((id) => groupIds.has(id)));
          seen[truth.decision] += 1;
        },
      ),
      { numRuns: 400 * effort },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  }, 300_000);
});
