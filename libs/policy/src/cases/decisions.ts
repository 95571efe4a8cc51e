/**
 * One request, one policy and the decision. `groups` are the direct groups of the user. `NESTING`
 * is the directory of all cases.
 */
export interface DecisionCase {
  readonly name: string;
  readonly document: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `connect` and `list_tools`, or an action and a name. */
  readonly request?: readonly [string, string?];
  readonly decision: 'allow' | 'deny' | 'error';
  /** The policies that determine the decision, where relevant. */
  readonly reasons?: readonly string[];
  /** The document does not pass validation; the decision shows its evaluation nevertheless. */
  readonly invalid?: true;
}

/** Group -> its parent groups. Three levels, a diamond, and a separate group. */
export const NESTING: Readonly<Record<string, readonly string[]>> = {
  'team-a': ['department'],
  'team-b': ['department', 'project'],
  department: ['company'],
  project: ['company'],
  company: [],
  guests: [],
};

/** The connector of all cases. */
export const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';

const ALL = 'permit(principal, action, resource);';
const permitWhen = (condition: string) => `@id("p") permit(principal, action, resource) when { ${condition} };`;
const permitUnless = (condition: string) => `@id("p") permit(principal, action, resource) unless { ${condition} };`;
const forbidWhen = (condition: string) => `${ALL} @id("f") forbid(principal, action, resource) when { ${condition} };`;
const permitGroup = (group: string) => `@id("p") permit(principal in Group::"${group}", action, resource);`;
const permitToolWhen = (condition: string) =>
  `@id("p") permit(principal, action == Action::"call_tool", resource) when { ${condition} };`;
const callTool = (name: string) => ['call_tool', name] as const;

/** The decisions of the published schema, case by case. */
export const DECISIONS: readonly DecisionCase[] = [
  { name: 'no policy', document: '', decision: 'deny', reasons: [] },
  { name: 'only a comment', document: '// a comment', decision: 'deny', reasons: [] },
  { name: 'a permit for all', document: ALL, decision: 'allow', reasons: ['policy0'] },
  { name: 'only a forbid', document: 'forbid(principal, action, resource);', decision: 'deny', reasons: ['policy0'] },
  { name: 'a forbid over a permit', document: forbidWhen('true'), decision: 'deny', reasons: ['f'] },
  { name: 'a forbid before a permit', document: `forbid(principal, action, resource);\n${ALL}`, decision: 'deny' },
  { name: 'a forbid that does not hold', document: forbidWhen('false'), decision: 'allow', reasons: ['policy0'] },
  { name: 'two permits', document: `@id("b") ${ALL} @id("a") ${ALL}`, decision: 'allow', reasons: ['a', 'b'] },
  // Groups
  { name: 'a member', document: permitGroup('team-a'), groups: ['team-a'], decision: 'allow', reasons: ['p'] },
  {
    name: 'a member of a group one level below',
    document: permitGroup('department'),
    groups: ['team-a'],
    decision: 'allow',
  },
  {
    name: 'a member of a group two levels below',
    document: permitGroup('company'),
    groups: ['team-a'],
    decision: 'allow',
  },
  { name: 'a member through two groups', document: permitGroup('company'), groups: ['team-b'], decision: 'allow' },
  { name: 'a member of the parent group', document: permitGroup('team-a'), groups: ['department'], decision: 'deny' },
  { name: 'a member of a sister group', document: permitGroup('team-a'), groups: ['team-b'], decision: 'deny' },
  { name: 'a user without groups', document: permitGroup('team-a'), decision: 'deny', reasons: [] },
  { name: 'an unknown group', document: permitGroup('unknown'), groups: ['team-a'], decision: 'deny' },
  { name: 'a group id in another case', document: permitGroup('Team-A'), groups: ['team-a'], decision: 'deny' },
  {
    name: 'one of several groups',
    document: permitWhen('principal in [Group::"guests", Group::"project"]'),
    groups: ['team-b'],
    decision: 'allow',
  },
  {
    name: 'in no group of a list',
    document: permitWhen('principal in [Group::"guests"]'),
    groups: ['team-b'],
    decision: 'deny',
  },
  {
    name: 'an empty list of groups',
    document: permitWhen('principal in []'),
    groups: ['team-b'],
    decision: 'deny',
    invalid: true,
  },
  {
    name: 'in both of two groups',
    document: permitWhen('principal in Group::"project" && principal in Group::"department"'),
    groups: ['team-b'],
    decision: 'allow',
  },
  {
    name: 'all but a group',
    document: permitUnless('principal in Group::"guests"'),
    groups: ['team-a', 'guests'],
    decision: 'deny',
  },
  {
    name: 'all but a group, for a member of another one',
    document: permitUnless('principal in Group::"guests"'),
    decision: 'allow',
  },
  {
    name: 'a forbid for a nested group over the grant of the outer one',
    document: `${permitGroup('company')} @id("f") forbid(principal in Group::"team-a", action, resource);`,
    groups: ['team-a'],
    decision: 'deny',
    reasons: ['f'],
  },
  {
    name: 'a principal of type User in a group',
    document: '@id("p") permit(principal is User in Group::"department", action, resource);',
    groups: ['team-a'],
    decision: 'allow',
  },
  // Users
  {
    name: 'a user by id',
    document: '@id("p") permit(principal == User::"ann", action, resource);',
    user: 'ann',
    decision: 'allow',
  },
  {
    name: 'another user',
    document: '@id("p") permit(principal == User::"ann", action, resource);',
    user: 'bob',
    decision: 'deny',
  },
  { name: 'all but a user', document: permitUnless('principal == User::"ann"'), user: 'ann', decision: 'deny' },
  { name: 'a user with the id of a group', document: permitGroup('team-a'), user: 'team-a', decision: 'deny' },
  // Claims
  {
    name: 'a present claim',
    document: permitWhen('principal has claim_email && principal.claim_email == "ann@example.com"'),
    claims: { email: 'ann@example.com' },
    decision: 'allow',
  },
  {
    name: 'a claim with another value',
    document: permitWhen('principal has claim_email && principal.claim_email == "ann@example.com"'),
    claims: { email: 'bob@example.com' },
    decision: 'deny',
  },
  {
    name: 'a missing claim with a guard',
    document: permitWhen('principal has claim_email && principal.claim_email == "ann@example.com"'),
    decision: 'deny',
    reasons: [],
  },
  {
    name: 'a missing claim without a guard',
    document: permitWhen('principal.claim_email == "x"'),
    decision: 'error',
    invalid: true,
  },
  {
    name: 'a forbid that fails over a permit that holds',
    document: forbidWhen('principal.claim_email == "x"'),
    decision: 'error',
    invalid: true,
  },
  {
    name: 'a permit that fails beside one that holds',
    document: `${ALL} ${permitWhen('principal.claim_email == "x"')}`,
    decision: 'error',
    invalid: true,
  },
  {
    name: 'a claim of the wrong type: number',
    document: permitWhen('principal has claim_email'),
    claims: { email: 7 },
    decision: 'error',
  },
  {
    name: 'a claim of the wrong type: null',
    document: permitWhen('principal has claim_email'),
    claims: { email: null },
    decision: 'error',
  },
  {
    name: 'a claim of the wrong type: list',
    document: permitWhen('principal has claim_email'),
    claims: { email: ['a'] },
    decision: 'error',
  },
  {
    name: 'a claim of the wrong type: text for a list',
    document: permitWhen('principal has claim_groups'),
    claims: { groups: 'a' },
    decision: 'error',
  },
  {
    name: 'a claim of the wrong type: mixed list',
    document: permitWhen('principal has claim_groups'),
    claims: { groups: ['a', 1] },
    decision: 'error',
  },
  {
    name: 'a claim of the wrong type: text for a boolean',
    document: permitWhen('principal has claim_email_verified'),
    claims: { email_verified: 'true' },
    decision: 'error',
  },
  {
    name: 'a claim of the wrong type: fraction',
    document: permitWhen('principal has claim_level'),
    claims: { level: 1.5 },
    decision: 'error',
  },
  {
    name: 'a claim of the wrong type: too large',
    document: permitWhen('principal has claim_level'),
    claims: { level: 2 ** 53 },
    decision: 'error',
  },
  {
    name: 'a claim of the wrong type, only in a forbid',
    document: forbidWhen('principal has claim_level && false'),
    claims: { level: 'high' },
    decision: 'error',
  },
  { name: 'a claim of the wrong type that no policy mentions', document: ALL, claims: { email: 7 }, decision: 'allow' },
  { name: 'a claim without a mapping', document: ALL, claims: { department: 'x' }, decision: 'allow' },
  {
    name: 'a policy with a claim without a mapping',
    document: permitWhen('principal has claim_department'),
    claims: { department: 'x' },
    decision: 'error',
    invalid: true,
  },
  {
    name: 'a boolean claim',
    document: permitWhen('principal has claim_email_verified && principal.claim_email_verified'),
    claims: { email_verified: true },
    decision: 'allow',
  },
  {
    name: 'a false boolean claim',
    document: permitWhen('principal has claim_email_verified && principal.claim_email_verified'),
    claims: { email_verified: false },
    decision: 'deny',
  },
  {
    name: 'a number',
    document: permitWhen('principal has claim_level && principal.claim_level >= 3'),
    claims: { level: 3 },
    decision: 'allow',
  },
  {
    name: 'a negative number',
    document: permitWhen('principal has claim_level && principal.claim_level < 0'),
    claims: { level: -1 },
    decision: 'allow',
  },
  {
    name: 'arithmetic',
    document: permitWhen('principal has claim_level && principal.claim_level * 2 - 1 == 5'),
    claims: { level: 3 },
    decision: 'allow',
  },
  {
    name: 'a sum that overflows',
    document: permitWhen('principal has claim_level && principal.claim_level + 9223372036854775807 > 0'),
    claims: { level: 1 },
    decision: 'error',
  },
  {
    name: 'a list that contains',
    document: permitWhen('principal has claim_roles && principal.claim_roles.contains("ops")'),
    claims: { roles: ['dev', 'ops'] },
    decision: 'allow',
  },
  {
    name: 'a list that does not contain',
    document: permitWhen('principal has claim_roles && principal.claim_roles.contains("op")'),
    claims: { roles: ['dev', 'ops'] },
    decision: 'deny',
  },
  {
    name: 'a list that contains all',
    document: permitWhen('principal has claim_roles && principal.claim_roles.containsAll(["dev", "ops"])'),
    claims: { roles: ['ops'] },
    decision: 'deny',
  },
  {
    name: 'a list that contains any',
    document: permitWhen('principal has claim_roles && principal.claim_roles.containsAny(["dev", "ops"])'),
    claims: { roles: ['ops'] },
    decision: 'allow',
  },
  {
    name: 'an empty list',
    document: permitWhen('principal has claim_roles && principal.claim_roles.isEmpty()'),
    claims: { roles: [] },
    decision: 'allow',
  },
  {
    name: 'a claim groups is not a group of the directory',
    document: permitGroup('company'),
    claims: { groups: ['company'] },
    decision: 'deny',
  },
  // Patterns
  {
    name: 'a pattern',
    document: permitWhen('principal has claim_email && principal.claim_email like "*@example.com"'),
    claims: { email: 'ann@example.com' },
    decision: 'allow',
  },
  {
    name: 'a pattern with another end',
    document: permitWhen('principal has claim_email && principal.claim_email like "*@example.com"'),
    claims: { email: 'ann@example.com.evil.test' },
    decision: 'deny',
  },
  {
    name: 'a pattern in another case',
    document: permitWhen('principal has claim_email && principal.claim_email like "*@example.com"'),
    claims: { email: 'ANN@EXAMPLE.COM' },
    decision: 'deny',
  },
  {
    name: 'an escaped star',
    document: permitToolWhen('resource.name like "a\\*b"'),
    request: callTool('a*b'),
    decision: 'allow',
  },
  {
    name: 'an escaped star, with another character',
    document: permitToolWhen('resource.name like "a\\*b"'),
    request: callTool('axb'),
    decision: 'deny',
  },
  {
    name: 'a text too long for patterns',
    document: permitToolWhen('resource.name like "a*"'),
    request: callTool('a'.repeat(5_000)),
    decision: 'error',
  },
  {
    name: 'a long text without patterns',
    document: permitToolWhen('resource.name != "b"'),
    request: callTool('a'.repeat(5_000)),
    decision: 'allow',
  },
  // Actions and resources
  {
    name: 'a permit for connect only, for call_tool',
    document: '@id("p") permit(principal, action == Action::"connect", resource);',
    request: callTool('echo'),
    decision: 'deny',
  },
  {
    name: 'a permit for call_tool only, for connect',
    document: '@id("p") permit(principal, action == Action::"call_tool", resource);',
    decision: 'deny',
  },
  {
    name: 'one of several actions',
    document: '@id("p") permit(principal, action in [Action::"connect", Action::"list_tools"], resource);',
    request: ['list_tools'],
    decision: 'allow',
  },
  {
    name: 'a tool by name',
    document: '@id("p") permit(principal, action, resource == Tool::"echo");',
    request: callTool('echo'),
    decision: 'allow',
  },
  {
    name: 'a prompt with the name of a tool',
    document: '@id("p") permit(principal, action, resource == Tool::"echo");',
    request: ['get_prompt', 'echo'],
    decision: 'deny',
  },
  {
    name: 'a tool with a look-alike name',
    document: '@id("p") permit(principal, action, resource == Tool::"echo");',
    request: callTool('есho'),
    decision: 'deny',
  },
  {
    name: 'a tool by type',
    document: '@id("p") permit(principal, action, resource is Tool);',
    request: callTool('x'),
    decision: 'allow',
  },
  {
    name: 'a connector is not a tool',
    document: '@id("p") permit(principal, action, resource is Tool);',
    decision: 'deny',
  },
  {
    name: 'a tool of this connector',
    document: `@id("p") permit(principal, action, resource in Connector::"${CONNECTOR}");`,
    request: callTool('x'),
    decision: 'allow',
  },
  {
    name: 'this connector itself',
    document: `@id("p") permit(principal, action, resource in Connector::"${CONNECTOR}");`,
    decision: 'allow',
  },
  {
    name: 'a tool of another connector',
    document: '@id("p") permit(principal, action, resource in Connector::"another");',
    request: callTool('x'),
    decision: 'deny',
    invalid: true,
  },
  {
    name: 'a resource by its URI',
    document:
      '@id("p") permit(principal, action == Action::"read_resource", resource) when { resource.uri like "file:///docs/*" };',
    request: ['read_resource', 'file:///docs/a'],
    decision: 'allow',
  },
  {
    name: 'a resource with another URI',
    document:
      '@id("p") permit(principal, action == Action::"read_resource", resource) when { resource.uri like "file:///docs/*" };',
    request: ['read_resource', 'file:///doc/../docs/a'],
    decision: 'deny',
  },
  {
    name: 'the name of another tool',
    document: permitToolWhen('Tool::"other".name == "other"'),
    request: callTool('echo'),
    decision: 'error',
  },
  {
    name: 'the claim of another user',
    document: permitWhen('User::"ghost" has claim_email'),
    claims: { email: 'x' },
    decision: 'deny',
  },
  {
    name: 'the claim of another user without a guard',
    document: permitWhen('User::"ghost".claim_email == "x"'),
    claims: { email: 'x' },
    decision: 'error',
    invalid: true,
  },
  // Expressions
  {
    name: 'when and unless together',
    document: '@id("p") permit(principal, action, resource) when { true } unless { principal in Group::"guests" };',
    groups: ['guests'],
    decision: 'deny',
  },
  {
    name: 'a condition',
    document: permitWhen('if principal in Group::"guests" then false else true'),
    groups: ['guests'],
    decision: 'deny',
  },
  {
    name: 'and with a false left side',
    document: permitWhen('false && principal.claim_email == "x"'),
    decision: 'deny',
    reasons: [],
  },
  { name: 'or with a true left side', document: permitWhen('true || principal.claim_email == "x"'), decision: 'allow' },
  { name: 'decimals', document: permitWhen('decimal("1.10").lessThan(decimal("1.2"))'), decision: 'allow' },
  {
    name: 'IP addresses',
    document: permitWhen('ip("10.1.2.3").isInRange(ip("10.0.0.0/8")) && !ip("10.1.2.3").isLoopback()'),
    decision: 'allow',
  },
  {
    name: 'times',
    document: permitWhen('datetime("2026-01-01").offset(duration("1d")) == datetime("2026-01-02")'),
    decision: 'allow',
  },
  {
    name: 'an invalid decimal',
    document: permitWhen('decimal("x").lessThan(decimal("1.0"))'),
    decision: 'error',
    invalid: true,
  },
  { name: 'records', document: permitWhen('{a: 1, b: {c: "x"}}.b.c == "x"'), decision: 'allow' },
];
