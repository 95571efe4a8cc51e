// Usage: node tools/bench/policy.mjs [seconds] [rounds] [--check]
// Method and limits: docs/benchmarks.md#policy-decisions.
import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { STANDARD_CLAIMS } from '../../libs/policy/dist/claims.js';
import { decide } from '../../libs/policy/dist/decide.js';
import { DecisionCache } from '../../libs/policy/dist/decision-cache.js';
import { compileGrants } from '../../libs/policy/dist/grants.js';
import { preparePolicySet } from '../../libs/policy/dist/policy-set.js';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const CACHED_US = 5;

const flags = process.argv.slice(2);
const [seconds = 1, rounds = 5] = flags.filter((flag) => !flag.startsWith('--')).map(Number);

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const groupIds = (count) =>
  Array.from({ length: count }, (_, n) => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`);
const GROUPS = groupIds(20);
const statements = [
  ...GROUPS.slice(0, 5).map((id) => `permit(principal in Group::"${id}", action == Action::"connect", resource);`),
  `permit(principal in Group::"${GROUPS[5]}", action, resource) when { principal has claim_email && principal.claim_email like "*@example.com" };`,
  'permit(principal, action == Action::"call_tool", resource) when { ["read", "list"].contains(resource.name) };',
  'permit(principal, action, resource) when { principal has claim_roles && principal.claim_roles.contains("operator") };',
  'forbid(principal, action == Action::"call_tool", resource) when { resource.name like "drop*" };',
  'forbid(principal, action, resource) unless { principal has claim_email_verified && principal.claim_email_verified };',
];
const document = statements.map((text, n) => `@id("s${n}") ${text}`).join('\n');
const set = preparePolicySet(CONNECTOR, document, STANDARD_CLAIMS);
const grantsTo = (count) => preparePolicySet(CONNECTOR, compileGrants(CONNECTOR, groupIds(count)), STANDARD_CLAIMS);
const [tenGrants, thousandGrants] = [grantsTo(10), grantsTo(1_000)];
const claims = { email: 'ann@example.com', email_verified: true, roles: ['developer'] };
const principal = { userId: 'ann', groupIds: new Set(GROUPS), claims };
const inAllGroups = { ...principal, groupIds: new Set(groupIds(500)) };
const cache = new DecisionCache();
const names = Array.from({ length: 200 }, (_, n) => `tool_${n}`);

const user = { type: 'User', id: 'ann' };
const connector = { type: 'Connector', id: CONNECTOR };
const attrs = Object.fromEntries(Object.entries(claims).map(([claim, value]) => [`claim_${claim}`, value]));
const parents = GROUPS.map((id) => ({ type: 'Group', id }));
cedar.preparsePolicySet('bench', { staticPolicies: Object.fromEntries(statements.map((text, n) => [`s${n}`, text])) });
const cedarItself = (name) => {
  const resource = { type: 'Tool', id: name };
  return cedar.statefulIsAuthorized({
    principal: user,
    action: { type: 'Action', id: 'call_tool' },
    resource,
    context: {},
    preparsedPolicySetId: 'bench',
    entities: [
      { uid: user, attrs, parents },
      ...parents.map((uid) => ({ uid, attrs: {}, parents: [] })),
      { uid: connector, attrs: {}, parents: [] },
      { uid: resource, attrs: { name }, parents: [connector] },
    ],
  }).response.decision;
};

const contestants = {
  'cedar-wasm itself': (name) => cedarItself(name) === 'allow',
  decide: (name) => decide(set, principal, { action: 'call_tool', name }).allowed,
  cached: (name) => cache.decide(set, principal, { action: 'call_tool', name }).allowed,
  'decide, 10 granted groups': (name) => decide(tenGrants, principal, { action: 'call_tool', name }).allowed,
  'cached, 10 granted groups': (name) => cache.decide(tenGrants, principal, { action: 'call_tool', name }).allowed,
  'decide, 1,000 granted groups': (name) => decide(thousandGrants, principal, { action: 'call_tool', name }).allowed,
  'cached, 1,000 granted groups': (name) =>
    cache.decide(thousandGrants, principal, { action: 'call_tool', name }).allowed,
  'cached, user in 500 of 1,000 granted groups': (name) =>
    cache.decide(thousandGrants, inAllGroups, { action: 'call_tool', name }).allowed,
};
for (const name of [...names, 'drop_all', 'read']) {
  if ((cedarItself(name) === 'allow') !== decide(set, principal, { action: 'call_tool', name }).allowed)
    throw new Error(`different decisions about ${name}`);
}

/** Returns the CPU time of a decision in microseconds. */
function measure(work) {
  const end = performance.now() + seconds * 1_000;
  const start = process.cpuUsage();
  let done = 0;
  while (performance.now() < end) {
    for (const name of names) work(name);
    done += names.length;
  }
  const { user: own, system } = process.cpuUsage(start);
  return (own + system) / done;
}

const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
for (const work of Object.values(contestants)) for (let warm = 0; warm < 20; warm += 1) names.forEach(work);
for (let round = 0; round < rounds; round += 1)
  for (const [name, work] of Object.entries(contestants)) times[name].push(measure(work));

printTable(
  ['Decision', 'CPU µs', 'ratio to cedar-wasm itself'],
  Object.entries(times).map(([name, values]) => {
    const ratio = median(values.map((value, round) => value / times['cedar-wasm itself'][round]));
    return [name, median(values).toFixed(2), ratio.toFixed(3)];
  }),
);
const [decided, cached, itself] = ['decide', 'cached', 'cedar-wasm itself'].map((name) => median(times[name]));
if (flags.includes('--check') && (cached > CACHED_US || decided > itself)) {
  console.error(`a cached decision took more than ${CACHED_US} µs, or decide more than cedar-wasm itself`);
  process.exitCode = 1;
}
