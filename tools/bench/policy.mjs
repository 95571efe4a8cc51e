// node tools/bench/policy.mjs [seconds] [rounds] [--check] What a decision costs in CPU time: a
// policy of ten statements, a person in 20 groups with claims. Decided by libs/policy, also where a
// policy is not plain, so that Cedar is asked, kept by its cache, by granted groups, and, in turns
// in the same run, by bare cedar-wasm with the policy set parsed beforehand and the same entities
// whole. Medians of the rounds. With --check the run fails above DECISION_US or KEPT_US, or where a
// decision takes longer than bare Cedar's. Run after `npx nx build @gatehouse/policy`.
import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { STANDARD_CLAIMS } from '../../libs/policy/dist/claims.js';
import { decide } from '../../libs/policy/dist/decide.js';
import { DecisionCache } from '../../libs/policy/dist/decision-cache.js';
import { compileGrants } from '../../libs/policy/dist/grants.js';
import { preparePolicySet } from '../../libs/policy/dist/policy-set.js';

const DECISION_US = 120;
const KEPT_US = 5;

const flags = process.argv.slice(2);
const [seconds = 1, rounds = 5] = flags.filter((flag) => !flag.startsWith('--')).map(Number);

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const GROUPS = Array.from({ length: 20 }, (_, n) => `aaaaaaaa-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`);
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
// One comparison of a sum, and Cedar itself has to be asked.
const summing = preparePolicySet(
  CONNECTOR,
  document.replace('when { ["read", "list"]', 'when { 1 + 1 == 2 && ["read", "list"]'),
  STANDARD_CLAIMS,
);
const granting = preparePolicySet(CONNECTOR, compileGrants(CONNECTOR, GROUPS.slice(0, 10)), STANDARD_CLAIMS);
const claims = { email: 'ann@example.com', email_verified: true, roles: ['developer'] };
const principal = { userId: 'ann', groupIds: new Set(GROUPS), claims };
const cache = new DecisionCache();
const names = Array.from({ length: 200 }, (_, n) => `tool_${n}`);

const user = { type: 'User', id: 'ann' };
const connector = { type: 'Connector', id: CONNECTOR };
const attrs = Object.fromEntries(Object.entries(claims).map(([claim, value]) => [`claim_${claim}`, value]));
const parents = GROUPS.map((id) => ({ type: 'Group', id }));
cedar.preparsePolicySet('bench', { staticPolicies: Object.fromEntries(statements.map((text, n) => [`s${n}`, text])) });
const bare = (name) => {
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
  'bare cedar-wasm': (name) => bare(name) === 'allow',
  decision: (name) => decide(set, principal, { action: 'call_tool', name }).allowed,
  'decision with a sum in a policy': (name) => decide(summing, principal, { action: 'call_tool', name }).allowed,
  'kept decision': (name) => cache.decide(set, principal, { action: 'call_tool', name }).allowed,
  'granted groups': (name) => cache.decide(granting, principal, { action: 'call_tool', name }).allowed,
};
for (const name of [...names, 'drop_all', 'read']) {
  const asked = { action: 'call_tool', name };
  const answers = [bare(name) === 'allow', ...[set, summing].map((one) => decide(one, principal, asked).allowed)];
  if (new Set(answers).size > 1) throw new Error(`different answers for ${name}`);
}

/** Microseconds of CPU a decision: a second of a busy machine is less than that. */
function cost(work) {
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
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const costs = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
for (const work of Object.values(contestants)) for (let warm = 0; warm < 20; warm += 1) names.forEach(work);
for (let round = 0; round < rounds; round += 1)
  for (const [name, work] of Object.entries(contestants)) costs[name].push(cost(work));

console.log('| A policy of ten statements | CPU µs a decision | ratio to bare |');
console.log('| --- | ---: | ---: |');
for (const [name, values] of Object.entries(costs)) {
  const ratio = median(values.map((value, round) => value / costs['bare cedar-wasm'][round]));
  console.log(`| ${name} | ${median(values).toFixed(2)} | ${ratio.toFixed(3)} |`);
}
const [decision, kept, plain] = ['decision', 'kept decision', 'bare cedar-wasm'].map((name) => median(costs[name]));
if (flags.includes('--check') && (decision > DECISION_US || kept > KEPT_US || decision > plain)) {
  console.error(
    `a decision takes more than ${DECISION_US} µs or than bare Cedar, or a kept one more than ${KEPT_US} µs`,
  );
  process.exitCode = 1;
}
