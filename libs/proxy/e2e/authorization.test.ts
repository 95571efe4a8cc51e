import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { encodeEvent } from '@gatehouse/mcp/event-stream';
import { CedarAuthorizer } from '../src/authorization/cedar-authorizer.ts';
import type { CedarRules } from '../src/authorization/authorization-config.ts';
import { createLocalClaims } from '../src/authorization/local-user.ts';
import { startBridge } from './bridged.ts';
import { post, RawClient, readMessages, type Message } from './harness.ts';
import { readBody, startPassThrough } from './passed-through.ts';

const POLICIES = [
  'permit(principal, action == Action::"call_tool", resource == Tool::"echo");',
  'permit(principal, action == Action::"call_tool", resource == Tool::"pay") when { resource.arg_currency == "EUR" && context.arg_amount.lessThan(decimal("100.0")) };',
  'permit(principal, action == Action::"call_tool", resource) when { resource has readOnlyHint && resource.readOnlyHint };',
  'forbid(principal, action, resource == Tool::"wipe");',
  'permit(principal, action == Action::"get_prompt", resource == Prompt::"greet");',
  'permit(principal, action == Action::"read_resource", resource) when { resource.uri like "file:///public/*" };',
  'permit(principal, action in [Action::"get_task", Action::"update_task"], resource == Task::"mine");',
  'permit(principal, action == Action::"call_method", resource == Method::"vendor/search");',
];

const createAuthorizer = (rules: Partial<CedarRules> = {}) =>
  new CedarAuthorizer({ policies: POLICIES, ...rules }, () => undefined);

/** Answers each request with the method and params that arrive, and notifications with 202. */
const repeat: RequestListener = (request, response) => {
  void readBody(request).then((body) => {
    const { id, method, params } = JSON.parse(body) as { id?: number; method?: string; params?: object };
    if (id === undefined || method === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { method, params } }));
  });
};

const answerWith =
  (type: string, body: string): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type }).end(body);
  };

const startRepeating = () => startPassThrough(repeat, { authorizer: createAuthorizer() });
const createRequest = (method: string, params?: object, id: string | number = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const call = (name: unknown, args?: object) => createRequest('tools/call', { name, arguments: args });
const complete = (ref: object) => createRequest('completion/complete', { ref, argument: { name: 'a', value: '' } });
const listen = (notifications: object) => createRequest('subscriptions/listen', { notifications });
const DENIED = { jsonrpc: '2.0', id: 7, error: { code: 403, message: 'Unauthorized' } };

const TOOLS = [
  { name: 'echo', description: 'Echo.', inputSchema: { maximum: 1 } },
  { name: 'look', annotations: { readOnlyHint: true } },
  { name: 'write', annotations: { readOnlyHint: false } },
  { name: 'wipe', annotations: { readOnlyHint: true } },
  { name: 7 },
];

describe('The authorization of a proxy', () => {
  it.each([
    ['a permitted tool', call('echo'), 200],
    ['a tool that no policy names', call('other'), 403],
    ['a tool in other case', call('Echo'), 403],
    ['a forbidden tool', call('wipe'), 403],
    ['a tool without a name', call(undefined), 403],
    ['a name that is no text', call(7), 403],
    ['permitted arguments', call('pay', { currency: 'EUR', amount: 99.5 }), 200],
    ['an argument with another value', call('pay', { currency: 'USD', amount: 1 }), 403],
    ['an argument that is too large', call('pay', { currency: 'EUR', amount: 100 }), 403],
    ['an argument of another type', call('pay', { currency: 'EUR', amount: '1' }), 403],
    [
      'an argument that is an entity of Cedar',
      call('pay', { currency: { __extn: { fn: 'ip', arg: '::1' } }, amount: 1 }),
      403,
    ],
    ['a missing argument', call('pay', { currency: 'EUR' }), 403],
    ['arguments that are a list', call('pay', []), 403],
    ['a permitted prompt', createRequest('prompts/get', { name: 'greet' }), 200],
    ['another prompt', createRequest('prompts/get', { name: 'echo' }), 403],
    ['a permitted resource', createRequest('resources/read', { uri: 'file:///public/a' }), 200],
    ['another resource', createRequest('resources/read', { uri: 'file:///private/a' }), 403],
    [
      'the subscription of a permitted resource',
      createRequest('resources/subscribe', { uri: 'file:///public/a' }),
      200,
    ],
    ['the subscription of another resource', createRequest('resources/subscribe', { uri: 'file:///a' }), 403],
    ['a ping', createRequest('ping'), 200],
    ['initialize', createRequest('initialize', {}), 200],
    ['a completion for a permitted prompt', complete({ type: 'ref/prompt', name: 'greet' }), 200],
    ['a completion for another prompt', complete({ type: 'ref/prompt', name: 'salaries' }), 403],
    ['a completion for a permitted template', complete({ type: 'ref/resource', uri: 'file:///public/{a}' }), 200],
    ['a completion for another template', complete({ type: 'ref/resource', uri: 'file:///{a}' }), 403],
    ['a completion for two things', complete({ type: 'ref/prompt', name: 'greet', Type: 'ref/resource' }), 403],
    ['a completion without a thing', createRequest('completion/complete', {}), 403],
    ['a completion for a thing in other case', createRequest('completion/complete', { Ref: { name: 'greet' } }), 403],
    ['changes of lists', listen({ toolsListChanged: true }), 200],
    ['changes of permitted things', listen({ resourceSubscriptions: ['file:///public/a'], taskIds: ['mine'] }), 200],
    ['changes of another resource', listen({ resourceSubscriptions: ['file:///public/a', 'file:///b'] }), 403],
    ['changes of another task', listen({ taskIds: ['1'] }), 403],
    ['changes of resources in other case', listen({ ResourceSubscriptions: ['file:///b'] }), 403],
    ['changes of a resource that is no list', listen({ resourceSubscriptions: 'file:///b' }), 403],
    ['changes in other case', createRequest('subscriptions/listen', { Notifications: { taskIds: ['1'] } }), 403],
    [
      'changes of too many resources',
      listen({ resourceSubscriptions: Array.from({ length: 1_001 }, () => 'file:///public/a') }),
      403,
    ],
    ['a permitted folder', createRequest('resources/directory/read', { uri: 'file:///public/' }), 200],
    ['another folder', createRequest('resources/directory/read', { uri: 'file:///' }), 403],
    ['a permitted skill', createRequest('skills/get', { uri: 'file:///public/SKILL.md' }), 200],
    ['another skill', createRequest('skills/get', { uri: 'file:///SKILL.md' }), 403],
    ['the state of a permitted task', createRequest('tasks/get', { taskId: 'mine' }), 200],
    ['the result of a permitted task', createRequest('tasks/result', { taskId: 'mine' }), 200],
    ['the answer to a permitted task', createRequest('tasks/update', { taskId: 'mine' }), 200],
    ['the end of a task that may be read only', createRequest('tasks/cancel', { taskId: 'mine' }), 403],
    ['another task', createRequest('tasks/result', { taskId: '1' }), 403],
    ['a permitted method', createRequest('vendor/search', {}), 200],
    ['an unknown method', createRequest('tools/callAll', {}), 403],
    ['a request of a server', createRequest('sampling/createMessage', {}), 403],
    ['a method in other case', createRequest('Tools/Call', { name: 'echo' }), 403],
  ])('decides about %s', async (_, message, status) => {
    const { url, requests } = await startRepeating();
    const response = await post(url, message);
    const answer = (await response.json()) as Message;
    expect(response.status).toBe(status);
    expect(requests).toHaveLength(status === 200 ? 1 : 0);
    if (status === 403) expect(answer).toEqual(DENIED);
  });

  it.each([
    ['passes on usual notifications', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
    [
      'refuses other notifications, without an id',
      { jsonrpc: '2.0', method: 'prompts/get', params: { name: 'greet' } },
      403,
    ],
    [
      'refuses the notification of a permitted request',
      { jsonrpc: '2.0', method: 'tasks/update', params: { taskId: 'mine' } },
      403,
    ],
    ['passes on a permitted notification', { jsonrpc: '2.0', method: 'vendor/search' }, 202],
    ['passes on responses of clients', { jsonrpc: '2.0', id: 3, result: { name: 'wipe' } }, 202],
    ['passes on errors of clients', { jsonrpc: '2.0', id: 3, error: { code: 1, message: 'no' } }, 202],
  ])('%s', async (_, message, status) => {
    const { url, requests } = await startRepeating();
    const response = await post(url, message);
    const text = await response.text();
    expect([response.status, requests.length]).toEqual([status, status === 202 ? 1 : 0]);
    if (status === 403) expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', error: DENIED.error });
  });

  it.each([
    ['a request without the name of its thing', createRequest('resources/subscribe'), 200],
    ['a name that is no text', createRequest('resources/subscribe', { uri: 7 }), 403],
    ['a name in other case', createRequest('resources/subscribe', { URI: 'file:///a' }), 403],
    ['a name in two cases', createRequest('tasks/get', { taskId: 'a', taskid: 'b' }), 400],
    ['a task', createRequest('tasks/get', { taskId: 'a' }), 200],
    ['an unknown method', createRequest('vendor/search'), 403],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/vendor' }, 403],
  ])('decides about %s where everything is permitted', async (_, message, status) => {
    const authorizer = createAuthorizer({ policies: ['permit(principal, action, resource);'] });
    const { url, requests } = await startPassThrough(repeat, { authorizer });
    const response = await post(url, message);
    await response.arrayBuffer();
    expect([response.status, requests.length]).toEqual([status, status === 200 ? 1 : 0]);
  });

  it.each([
    ['tools/list', 'tools', TOOLS, [TOOLS[0], TOOLS[1]]],
    ['skills/list', 'skills', [{ uri: 'file:///public/SKILL.md' }, { uri: 'x' }], [{ uri: 'file:///public/SKILL.md' }]],
    ['tasks/list', 'tasks', [{ taskId: 'mine' }, { taskId: 'other' }], [{ taskId: 'mine' }]],
    ['prompts/list', 'prompts', [{ name: 'greet' }, { name: 'x' }, null], [{ name: 'greet' }]],
    ['resources/list', 'resources', [{ uri: 'file:///public/a' }, { uri: 'file:///b' }], [{ uri: 'file:///public/a' }]],
    [
      'resources/templates/list',
      'resourceTemplates',
      [{ uriTemplate: 'file:///public/{name}' }, { uriTemplate: 'file:///{name}' }],
      [{ uriTemplate: 'file:///public/{name}' }],
    ],
    ['tools/list', 'tools', [{ name: 'wipe' }], []],
  ])('filters the answer to %s in JSON, in a stream and in a resumed stream', async (method, member, items, shown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, result: { [member]: items, nextCursor: 'more' } });
    const expected = { jsonrpc: '2.0', id: 7, result: { [member]: shown, nextCursor: 'more' } };
    const options = { authorizer: createAuthorizer() };
    for (const type of ['application/json', 'text/plain']) {
      const { url } = await startPassThrough(answerWith(type, body), options);
      expect(await (await post(url, createRequest(method))).json()).toEqual(expected);
    }
    const other = encodeEvent({ data: '{"jsonrpc":"2.0","method":"notifications/message","params":{"n":1.0}}' });
    const { url } = await startPassThrough(
      answerWith('text/event-stream', other + encodeEvent({ data: body })),
      options,
    );
    expect((await readMessages(await post(url, createRequest(method)))).at(-1)).toEqual(expected);
    const resumed = await (await fetch(url, { headers: { accept: 'text/event-stream' } })).text();
    expect(resumed.startsWith(other)).toBe(true);
    expect(resumed).toContain(JSON.stringify(expected));
  });

  it('filters the children of a folder', async () => {
    const children = [{ uri: 'file:///public/a' }, { uri: 'file:///private/a' }];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, result: { resources: children } });
    const { url } = await startPassThrough(answerWith('application/json', body), { authorizer: createAuthorizer() });
    const response = await post(url, createRequest('resources/directory/read', { uri: 'file:///public/' }));
    expect(await response.json()).toMatchObject({ result: { resources: [children[0]] } });
  });

  it('does not change a byte of a list of which the caller may use everything', async () => {
    const body =
      '{ "jsonrpc":"2.0", "id":7,\n "result":{"tools":[ {"name":"echo","inputSchema":{"maximum":1.0,"title":"\\u00e9"}} ]} }';
    const { url } = await startPassThrough(answerWith('application/json', body), { authorizer: createAuthorizer() });
    expect(await (await post(url, createRequest('tools/list'))).text()).toBe(body);
  });

  it('keeps the numbers of the items that it shows', async () => {
    const echo = '{"name":"echo","inputSchema":{"maximum":18446744073709551615,"minimum":1.0}}';
    const body = `{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"x"},${echo}]}}`;
    const { url } = await startPassThrough(answerWith('application/json', body), { authorizer: createAuthorizer() });
    expect(await (await post(url, createRequest('tools/list'))).text()).toBe(body.replace('{"name":"x"},', ''));
  });

  it.each([
    ['is not JSON', 'application/json', 'tools: wipe', 502],
    ['has no tools', 'application/json', '{"jsonrpc":"2.0","id":7,"result":{"Tools":["wipe"]}}', 200],
    ['has a damaged event', 'text/event-stream', 'data: {"tools":["wipe"]}\n\n', 200],
  ])('withholds a list that %s', async (_, type, body, status) => {
    const { url } = await startPassThrough(answerWith(type, body), { authorizer: createAuthorizer() });
    const response = await post(url, createRequest('tools/list'));
    const text = await response.text();
    expect(response.status).toBe(status);
    expect(text).not.toContain('wipe');
    expect(text).toContain('error');
  });

  it('knows the hints of a tool from the last list', async () => {
    const list: RequestListener = (request, response) => {
      void readBody(request).then((body) => {
        const result = body.includes('tools/list') ? { tools: TOOLS } : {};
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
      });
    };
    const { url } = await startPassThrough(list, { authorizer: createAuthorizer() });
    const use = async (message: object) => {
      const response = await post(url, message);
      await response.text();
      return response.status;
    };
    expect(await use(call('look'))).toBe(403);
    expect(await use(createRequest('tools/list'))).toBe(200);
    expect([await use(call('look')), await use(call('write')), await use(call('wipe'))]).toEqual([200, 403, 403]);
  });

  it('decides on the name of the server where a tool has another one for clients', async () => {
    const tools = { overrides: { echo: { name: 'say' }, other: { name: 'echo' } } };
    const { url } = await startPassThrough(repeat, { tools, authorizer: createAuthorizer() });
    const [said, echoed] = [await post(url, call('say')), await post(url, call('echo'))];
    expect((await said.json()) as Message).toMatchObject({ result: { params: { name: 'echo' } } });
    expect(await echoed.json()).toEqual(DENIED);
  });

  it('refuses a call and filters the list of a stdio server', async () => {
    const { url } = await startBridge({ authorizer: createAuthorizer() });
    const client = await RawClient.open(url);
    const [list] = await client.request('tools/list');
    expect((list?.result?.['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(['echo']);
    expect(await client.callTool('echo', { message: 'hello' })).toBe('hello');
    const refused = await client.send({ id: 7, method: 'tools/call', params: { name: 'identity', arguments: {} } });
    expect([refused.status, await refused.json()]).toEqual([403, DENIED]);
  });

  it('passes all calls without authorization', async () => {
    const { url } = await startPassThrough(repeat);
    const response = await post(url, call('wipe'));
    await response.text();
    expect(response.status).toBe(200);
  });
});

describe('CedarAuthorizer', () => {
  const allows = (
    condition: string,
    claims: Readonly<Record<string, unknown>> | undefined,
    rules: Partial<CedarRules> = {},
  ) =>
    createAuthorizer({ policies: [`permit(principal, action, resource) when { ${condition} };`], ...rules }).allows({
      claims,
      use: 'call_tool',
      id: 'x',
    });

  it.each<[string, Record<string, unknown>, Partial<CedarRules>]>([
    ['principal == Client::"ann"', {}, {}],
    ['principal.claim_email == "a@b.c" && context.claim_email == "a@b.c"', { email: 'a@b.c' }, {}],
    ['principal.claim_roles.contains("admin")', { roles: ['admin', 7] }, {}],
    ['principal.claim_address.city == "Bern"', { address: { city: 'Bern' } }, {}],
    ['principal.claim_exp.greaterThan(decimal("1700000000.0"))', { exp: 1_800_000_000 }, {}],
    ['principal in THVGroup::"eng"', { groups: ['eng'] }, {}],
    ['principal in THVGroup::"eng"', { groups: [], 'cognito:groups': ['eng'] }, {}],
    [
      'principal in THVGroup::"eng" && principal in THVGroup::"lead"',
      { teams: 'eng', r: ['lead'] },
      { group_claim_name: 'teams', role_claim_name: 'r' },
    ],
    [
      'principal in Team::"eng"',
      { realm_access: { roles: ['eng'] } },
      { group_claim_name: 'realm_access.roles', group_entity_type: 'Team' },
    ],
    ['principal in THVGroup::"eng"', { 'https://x.y/groups': ['eng'] }, { group_claim_name: 'https://x.y/groups' }],
    [
      'principal.claim_scope == "a b" && principal.claimset_scope.contains("b")',
      { scope: 'a b' },
      { multi_valued_claims: ['scope'] },
    ],
    [
      'principal.claim_scp == "a b" && context.claimset_scp.containsAll(["a", "b"])',
      { scp: ['a', 'b'] },
      { multi_valued_claims: ['scp', 'none'] },
    ],
    [
      'principal in Role::"admin"',
      {},
      { entities_json: '[{"uid":{"type":"Client","id":"ann"},"parents":[{"type":"Role","id":"admin"}]}]' },
    ],
    ['resource.name == "x" && resource.operation == "call" && resource.feature == "tool"', {}, {}],
  ])('knows that %s', (condition, claims, rules) => {
    expect(allows(condition, { sub: 'ann', ...claims }, rules)).toBe(true);
    expect(allows(`!(${condition})`, { sub: 'ann', ...claims }, rules)).toBe(false);
  });

  it.each<[string, Record<string, unknown>]>([
    ['no subject', {}],
    ['an empty subject', { sub: '' }],
    ['a subject that is no text', { sub: 7 }],
    ['half of a surrogate pair', { sub: '\ud800' }],
  ])('refuses a caller with %s', (_, claims) => {
    expect(allows('true', claims)).toBe(false);
  });

  it('decides for each caller, thing, argument and hint, also when asked again', () => {
    const byHint = createAuthorizer({
      policies: ['permit(principal == Client::"ann", action, resource == Tool::"x") when { resource.readOnlyHint };'],
    });
    const byArgument = createAuthorizer({ policies: ['permit(principal, action, resource) when { context.arg_a };'] });
    const [ann, bob] = [{ sub: 'ann' }, { sub: 'bob' }];
    const question = { claims: ann, use: 'call_tool', id: 'x', hints: { readOnlyHint: true } } as const;
    for (let times = 0; times < 2; times += 1) {
      expect(byHint.allows(question)).toBe(true);
      expect(byHint.allows({ ...question, claims: bob })).toBe(false);
      expect(byHint.allows({ ...question, id: 'y' })).toBe(false);
      expect(byHint.allows({ ...question, use: 'read_resource' })).toBe(false);
      expect(byHint.allows({ ...question, hints: { readOnlyHint: false } })).toBe(false);
      expect(byHint.allows({ ...question, hints: undefined })).toBe(false);
      expect([true, false].map((a) => byArgument.allows({ ...question, args: { a } }))).toEqual([true, false]);
    }
  });

  it('takes an entity or a function in a claim for no value', () => {
    const claims = {
      sub: 'ann',
      boss: { __entity: { type: 'Client', id: 'root' } },
      n: [{ __extn: { fn: 'ip', arg: '::1' } }],
    };
    expect(allows('principal has claim_boss', claims)).toBe(false);
    expect(allows('principal.claim_n.isEmpty()', claims)).toBe(true);
  });

  it('takes a caller without authentication for the user of this machine', () => {
    const { sub } = createLocalClaims();
    expect(
      allows(`principal == Client::${JSON.stringify(sub)} && principal.claim_iss == "toolhive-local"`, undefined),
    ).toBe(true);
    expect(allows(`principal.claim_email == ${JSON.stringify(`${String(sub)}@localhost`)}`, undefined)).toBe(true);
  });

  it('passes only the arguments that policies use, so that large ones cost little', () => {
    const args = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`a${at}`, at]));
    const policies = [
      'permit(principal, action, resource) when { context.arg_a9999 == decimal("9999.0") && !(context has arg_list_present) };',
    ];
    const authorizer = createAuthorizer({ policies });
    const ask = (more: object) =>
      authorizer.allows({ claims: undefined, use: 'call_tool', id: 'x', args: { ...args, ...more } });
    expect([ask({}), ask({ list: [] }), ask({ list: null }), ask({ __proto__: 1 })]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it.each([
    ['refuses more than 1,000 arguments where a policy uses all of them', 1_001, false],
    ['decides with 1,000 arguments where a policy uses all of them', 1_000, true],
  ])('%s', (_, length, allowed) => {
    const args = Object.fromEntries(Array.from({ length }, (_, at) => [`a${at}`, at]));
    const policies = ['permit(principal, action, resource) unless { context == {} };'];
    expect(createAuthorizer({ policies }).allows({ claims: undefined, use: 'call_tool', id: 'x', args })).toBe(allowed);
  });

  it('has the mark of an argument that is an object, also beside an argument of its name', () => {
    const policies = ['permit(principal, action, resource) when { context.arg_to_present == true };'];
    const authorizer = createAuthorizer({ policies });
    for (const args of [{ to: {} }, { to: [], to_present: false }, { to_present: false, to: null }])
      expect(authorizer.allows({ claims: undefined, use: 'call_tool', id: 'x', args })).toBe(true);
    expect(authorizer.allows({ claims: undefined, use: 'call_tool', id: 'x', args: { to_present: false } })).toBe(
      false,
    );
  });

  it('reports each failure of a policy once', () => {
    const lines: string[] = [];
    const policies = ['permit(principal, action, resource) when { context.missing };'];
    const authorizer = new CedarAuthorizer({ policies }, ({ message }) => lines.push(message));
    for (let time = 0; time < 3; time++) authorizer.allows({ claims: undefined, use: 'call_tool', id: 'x' });
    expect(lines).toEqual([
      expect.stringMatching(
        /^A policy has failed, so the request is refused: call_tool of Tool "x": policies.0:.*missing/,
      ),
    ]);
  });
});
