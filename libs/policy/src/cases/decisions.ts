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
  readonly ask?: readonly [string, string?];
  readonly answer: 'allow' | 'deny' | 'error';
  /** The policies that determine the decision, where relevant. */
  readonly by?: readonly string[];
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
const when = (condition: string) => `@id("p") permit(principal, action, resource) when { ${condition} };`;
const unless = (condition: string) => `@id("p") permit(principal, action, resource) unless { ${condition} };`;
const forbid = (condition: string) => `${ALL} @id("f") forbid(principal, action, resource) when { ${condition} };`;
const inGroup = (group: string) => `@id("p") permit(principal in Group::"${group}", action, resource);`;
const onTool = (condition: string) =>
  `@id("p") permit(principal, action == Action::"call_tool", resource) when { ${condition} };`;
const tool = (name: string) => ['call_tool', name] as const;

/** Who may do what: the meaning of the published schema, case by case. */
export const DECISIONS: readonly DecisionCase[] = [
  { name: 'no policy', document: '', answer: 'deny', by: [] },
  { name: 'only a comment', document: '// a comment', answer: 'deny', by: [] },
  { name: 'a permit for all', document: ALL, answer: 'allow', by: ['policy0'] },
  { name: 'only a forbid', document: 'forbid(principal, action, resource);', answer: 'deny', by: ['policy0'] },
  { name: 'a forbid over a permit', document: forbid('true'), answer: 'deny', by: ['f'] },
  { name: 'a forbid before a permit', document: `forbid(principal, action, resource);\n${ALL}`, answer: 'deny' },
  { name: 'a forbid that does not hold', document: forbid('false'), answer: 'allow', by: ['policy0'] },
  { name: 'two permits', document: `@id("b") ${ALL} @id("a") ${ALL}`, answer: 'allow', by: ['a', 'b'] },
  // Groups
  { name: 'a member', document: inGroup('team-a'), groups: ['team-a'], answer: 'allow', by: ['p'] },
  { name: 'a member of a group one level below', document: inGroup('department'), groups: ['team-a'], answer: 'allow' },
  { name: 'a member of a group two levels below', document: inGroup('company'), groups: ['team-a'], answer: 'allow' },
  { name: 'a member through two groups', document: inGroup('company'), groups: ['team-b'], answer: 'allow' },
  { name: 'a member of the parent group', document: inGroup('team-a'), groups: ['department'], answer: 'deny' },
  { name: 'a member of a sister group', document: inGroup('team-a'), groups: ['team-b'], answer: 'deny' },
  { name: 'a user without groups', document: inGroup('team-a'), answer: 'deny', by: [] },
  { name: 'an unknown group', document: inGroup('unknown'), groups: ['team-a'], answer: 'deny' },
  { name: 'a group id in another case', document: inGroup('Team-A'), groups: ['team-a'], answer: 'deny' },
  {
    name: 'one of several groups',
    document: when('principal in [Group::"guests", Group::"project"]'),
    groups: ['team-b'],
    answer: 'allow',
  },
  {
    name: 'in no group of a list',
    document: when('principal in [Group::"guests"]'),
    groups: ['team-b'],
    answer: 'deny',
  },
  {
    name: 'an empty list of groups',
    document: when('principal in []'),
    groups: ['team-b'],
    answer: 'deny',
    invalid: true,
  },
  {
    name: 'in both of two groups',
    document: when('principal in Group::"project" && principal in Group::"department"'),
    groups: ['team-b'],
    answer: 'allow',
  },
  {
    name: 'all but a group',
    document: unless('principal in Group::"guests"'),
    groups: ['team-a', 'guests'],
    answer: 'deny',
  },
  {
    name: 'all but a group, for a member of another one',
    document: unless('principal in Group::"guests"'),
    answer: 'allow',
  },
  {
    name: 'a forbid for a nested group over the grant of the outer one',
    document: `${inGroup('company')} @id("f") forbid(principal in Group::"team-a", action, resource);`,
    groups: ['team-a'],
    answer: 'deny',
    by: ['f'],
  },
  {
    name: 'a principal of type User in a group',
    document: '@id("p") permit(principal is User in Group::"department", action, resource);',
    groups: ['team-a'],
    answer: 'allow',
  },
  // People
  {
    name: 'a user by id',
    document: '@id("p") permit(principal == User::"ann", action, resource);',
    user: 'ann',
    answer: 'allow',
  },
  {
    name: 'another user',
    document: '@id("p") permit(principal == User::"ann", action, resource);',
    user: 'bob',
    answer: 'deny',
  },
  { name: 'all but a user', document: unless('principal == User::"ann"'), user: 'ann', answer: 'deny' },
  { name: 'a user with the id of a group', document: inGroup('team-a'), user: 'team-a', answer: 'deny' },
  // Claims
  {
    name: 'a present claim',
    document: when('principal has claim_email && principal.claim_email == "ann@example.com"'),
    claims: { email: 'ann@example.com' },
    answer: 'allow',
  },
  {
    name: 'a claim with another value',
    document: when('principal has claim_email && principal.claim_email == "ann@example.com"'),
    claims: { email: 'bob@example.com' },
    answer: 'deny',
  },
  {
    name: 'a missing claim with a guard',
    document: when('principal has claim_email && principal.claim_email == "ann@example.com"'),
    answer: 'deny',
    by: [],
  },
  {
    name: 'a missing claim without a guard',
    document: when('principal.claim_email == "x"'),
    answer: 'error',
    invalid: true,
  },
  {
    name: 'a forbid that fails over a permit that holds',
    document: forbid('principal.claim_email == "x"'),
    answer: 'error',
    invalid: true,
  },
  {
    name: 'a permit that fails beside one that holds',
    document: `${ALL} ${when('principal.claim_email == "x"')}`,
    answer: 'error',
    invalid: true,
  },
  {
    name: 'a claim of the wrong type: number',
    document: when('principal has claim_email'),
    claims: { email: 7 },
    answer: 'error',
  },
  {
    name: 'a claim of the wrong type: null',
    document: when('principal has claim_email'),
    claims: { email: null },
    answer: 'error',
  },
  {
    name: 'a claim of the wrong type: list',
    document: when('principal has claim_email'),
    claims: { email: ['a'] },
    answer: 'error',
  },
  {
    name: 'a claim of the wrong type: text for a list',
    document: when('principal has claim_groups'),
    claims: { groups: 'a' },
    answer: 'error',
  },
  {
    name: 'a claim of the wrong type: mixed list',
    document: when('principal has claim_groups'),
    claims: { groups: ['a', 1] },
    answer: 'error',
  },
  {
    name: 'a claim of the wrong type: text for a boolean',
    document: when('principal has claim_email_verified'),
    claims: { email_verified: 'true' },
    answer: 'error',
  },
  {
    name: 'a claim of the wrong type: fraction',
    document: when('principal has claim_level'),
    claims: { level: 1.5 },
    answer: 'error',
  },
  {
    name: 'a claim of the wrong type: too large',
    document: when('principal has claim_level'),
    claims: { level: 2 ** 53 },
    answer: 'error',
  },
  {
    name: 'a claim of the wrong type, only in a forbid',
    document: forbid('principal has claim_level && false'),
    claims: { level: 'high' },
    answer: 'error',
  },
  { name: 'a claim of the wrong type that no policy mentions', document: ALL, claims: { email: 7 }, answer: 'allow' },
  { name: 'a claim without a mapping', document: ALL, claims: { department: 'x' }, answer: 'allow' },
  {
    name: 'a policy with a claim without a mapping',
    document: when('principal has claim_department'),
    claims: { department: 'x' },
    answer: 'error',
    invalid: true,
  },
  {
    name: 'a boolean claim',
    document: when('principal has claim_email_verified && principal.claim_email_verified'),
    claims: { email_verified: true },
    answer: 'allow',
  },
  {
    name: 'a false boolean claim',
    document: when('principal has claim_email_verified && principal.claim_email_verified'),
    claims: { email_verified: false },
    answer: 'deny',
  },
  {
    name: 'a number',
    document: when('principal has claim_level && principal.claim_level >= 3'),
    claims: { level: 3 },
    answer: 'allow',
  },
  {
    name: 'a negative number',
    document: when('principal has claim_level && principal.claim_level < 0'),
    claims: { level: -1 },
    answer: 'allow',
  },
  {
    name: 'arithmetic',
    document: when('principal has claim_level && principal.claim_level * 2 - 1 == 5'),
    claims: { level: 3 },
    answer: 'allow',
  },
  {
    name: 'a sum that overflows',
    document: when('principal has claim_level && principal.claim_level + 9223372036854775807 > 0'),
    claims: { level: 1 },
    answer: 'error',
  },
  {
    name: 'a list that contains',
    document: when('principal has claim_roles && principal.claim_roles.contains("ops")'),
    claims: { roles: ['dev', 'ops'] },
    answer: 'allow',
  },
  {
    name: 'a list that does not contain',
    document: when('principal has claim_roles && principal.claim_roles.contains("op")'),
    claims: { roles: ['dev', 'ops'] },
    answer: 'deny',
  },
  {
    name: 'a list that contains all',
    document: when('principal has claim_roles && principal.claim_roles.containsAll(["dev", "ops"])'),
    claims: { roles: ['ops'] },
    answer: 'deny',
  },
  {
    name: 'a list that contains any',
    document: when('principal has claim_roles && principal.claim_roles.containsAny(["dev", "ops"])'),
    claims: { roles: ['ops'] },
    answer: 'allow',
  },
  {
    name: 'an empty list',
    document: when('principal has claim_roles && principal.claim_roles.isEmpty()'),
    claims: { roles: [] },
    answer: 'allow',
  },
  {
    name: 'a claim groups is not a group of the directory',
    document: inGroup('company'),
    claims: { groups: ['company'] },
    answer: 'deny',
  },
  // Patterns
  {
    name: 'a pattern',
    document: when('principal has claim_email && principal.claim_email like "*@example.com"'),
    claims: { email: 'ann@example.com' },
    answer: 'allow',
  },
  {
    name: 'a pattern with another end',
    document: when('principal has claim_email && principal.claim_email like "*@example.com"'),
    claims: { email: 'ann@example.com.evil.test' },
    answer: 'deny',
  },
  {
    name: 'a pattern in another case',
    document: when('principal has claim_email && principal.claim_email like "*@example.com"'),
    claims: { email: 'ANN@EXAMPLE.COM' },
    answer: 'deny',
  },
  { name: 'an escaped star', document: onTool('resource.name like "a\\*b"'), ask: tool('a*b'), answer: 'allow' },
  {
    name: 'an escaped star, with another character',
    document: onTool('resource.name like "a\\*b"'),
    ask: tool('axb'),
    answer: 'deny',
  },
  {
    name: 'a text too long for patterns',
    document: onTool('resource.name like "a*"'),
    ask: tool('a'.repeat(5_000)),
    answer: 'error',
  },
  {
    name: 'a long text without patterns',
    document: onTool('resource.name != "b"'),
    ask: tool('a'.repeat(5_000)),
    answer: 'allow',
  },
  // Actions and resources
  {
    name: 'a permit for connect only, for call_tool',
    document: '@id("p") permit(principal, action == Action::"connect", resource);',
    ask: tool('echo'),
    answer: 'deny',
  },
  {
    name: 'a permit for call_tool only, for connect',
    document: '@id("p") permit(principal, action == Action::"call_tool", resource);',
    answer: 'deny',
  },
  {
    name: 'one of several actions',
    document: '@id("p") permit(principal, action in [Action::"connect", Action::"list_tools"], resource);',
    ask: ['list_tools'],
    answer: 'allow',
  },
  {
    name: 'a tool by name',
    document: '@id("p") permit(principal, action, resource == Tool::"echo");',
    ask: tool('echo'),
    answer: 'allow',
  },
  {
    name: 'a prompt with the name of a tool',
    document: '@id("p") permit(principal, action, resource == Tool::"echo");',
    ask: ['get_prompt', 'echo'],
    answer: 'deny',
  },
  {
    name: 'a tool with a look-alike name',
    document: '@id("p") permit(principal, action, resource == Tool::"echo");',
    ask: tool('есho'),
    answer: 'deny',
  },
  {
    name: 'a tool by type',
    document: '@id("p") permit(principal, action, resource is Tool);',
    ask: tool('x'),
    answer: 'allow',
  },
  { name: 'a connector is no tool', document: '@id("p") permit(principal, action, resource is Tool);', answer: 'deny' },
  {
    name: 'a tool of this connector',
    document: `@id("p") permit(principal, action, resource in Connector::"${CONNECTOR}");`,
    ask: tool('x'),
    answer: 'allow',
  },
  {
    name: 'this connector itself',
    document: `@id("p") permit(principal, action, resource in Connector::"${CONNECTOR}");`,
    answer: 'allow',
  },
  {
    name: 'a tool of another connector',
    document: '@id("p") permit(principal, action, resource in Connector::"another");',
    ask: tool('x'),
    answer: 'deny',
    invalid: true,
  },
  {
    name: 'a resource by its URI',
    document:
      '@id("p") permit(principal, action == Action::"read_resource", resource) when { resource.uri like "file:///docs/*" };',
    ask: ['read_resource', 'file:///docs/a'],
    answer: 'allow',
  },
  {
    name: 'a resource with another URI',
    document:
      '@id("p") permit(principal, action == Action::"read_resource", resource) when { resource.uri like "file:///docs/*" };',
    ask: ['read_resource', 'file:///doc/../docs/a'],
    answer: 'deny',
  },
  {
    name: 'the name of another tool',
    document: onTool('Tool::"other".name == "other"'),
    ask: tool('echo'),
    answer: 'error',
  },
  {
    name: 'the claim of another user',
    document: when('User::"ghost" has claim_email'),
    claims: { email: 'x' },
    answer: 'deny',
  },
  {
    name: 'the claim of another user without a guard',
    document: when('User::"ghost".claim_email == "x"'),
    claims: { email: 'x' },
    answer: 'error',
    invalid: true,
  },
  // Expressions
  {
    name: 'when and unless together',
    document: '@id("p") permit(principal, action, resource) when { true } unless { principal in Group::"guests" };',
    groups: ['guests'],
    answer: 'deny',
  },
  {
    name: 'a condition',
    document: when('if principal in Group::"guests" then false else true'),
    groups: ['guests'],
    answer: 'deny',
  },
  {
    name: 'and with a false left side',
    document: when('false && principal.claim_email == "x"'),
    answer: 'deny',
    by: [],
  },
  { name: 'or with a true left side', document: when('true || principal.claim_email == "x"'), answer: 'allow' },
  { name: 'decimals', document: when('decimal("1.10").lessThan(decimal("1.2"))'), answer: 'allow' },
  {
    name: 'IP addresses',
    document: when('ip("10.1.2.3").isInRange(ip("10.0.0.0/8")) && !ip("10.1.2.3").isLoopback()'),
    answer: 'allow',
  },
  {
    name: 'times',
    document: when('datetime("2026-01-01").offset(duration("1d")) == datetime("2026-01-02")'),
    answer: 'allow',
  },
  {
    name: 'an invalid decimal',
    document: when('decimal("x").lessThan(decimal("1.0"))'),
    answer: 'error',
    invalid: true,
  },
  { name: 'records', document: when('{a: 1, b: {c: "x"}}.b.c == "x"'), answer: 'allow' },
];
