import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(120_000);

let platform: LocalPlatform;
let upstream: McpUpstream;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-connectors-'));
beforeAll(async () => {
  upstream = await startMcpUpstream();
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.stop();
  await upstream.close();
});

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T = Connector>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);
const given = (args: string[], input: string): Promise<Ended> => platform.gatehouse.begin(args, {}, input).ended;
const file = (value: object): string => {
  const path = join(folder, `${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(value));
  return path;
};

interface Connector {
  id: string;
  name: string;
  slug: string;
  endpoint: string;
  status: string;
  description?: string;
  auth: object;
}
interface Provider {
  id: string;
  registration_mode: string;
  oidc_config: { client_secret?: { managed_secret_id: string } };
  discovery: { status: string };
}
interface Own {
  connector: Connector;
  connection?: { enabled: boolean };
  health?: { status: string; since: string };
}

describe('gatehouse admin connectors', () => {
  it('creates, publishes, changes, unpublishes and deletes a connector', async () => {
    const endpoint = upstream.url;
    const words = ['--endpoint', endpoint, '--private-addresses', '--description', 'for the test'];
    const made = await json('admin', 'connectors', 'create', 'First Draft', ...words);
    expect(made).toMatchObject({ slug: 'first-draft', status: 'draft', auth: { type: 'none' } });
    expect(await json('admin', 'connectors', 'publish', 'first-draft')).toMatchObject({ status: 'available' });
    const listed = await json<Connector[]>('admin', 'connectors', 'list');
    expect(listed.map(({ slug }) => slug)).toContain('first-draft');
    expect((await call('admin', 'connectors', 'list')).stdout).toMatch(/first-draft.+available/);

    const renamed = ['--name', 'Renamed', '--description', ''];
    const updated = await json('admin', 'connectors', 'update', 'first-draft', ...renamed);
    expect(updated).toMatchObject({ id: made.id, name: 'Renamed', slug: 'first-draft', status: 'available', endpoint });
    expect(updated).not.toHaveProperty('description');
    expect(await json('admin', 'connectors', 'unpublish', 'Renamed', '--yes')).toMatchObject({ status: 'draft' });

    expect((await call('admin', 'connectors', 'delete', 'Renamed')).code).toBe(2);
    expect((await call('admin', 'connectors', 'delete', 'Renamed', '--yes')).code).toBe(0);
    const gone = await call('admin', 'connectors', 'show', made.id);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('gatehouse admin connectors list')]);
  });

  it('refers to secrets, and keeps references that a change omits', async () => {
    const secret = await given(['admin', 'secrets', 'create', 'demo-token'], 'demo-token-value');
    expect(secret.code).toBe(0);
    const bearer = ['--auth', 'bearerToken', '--secret', 'demo-token'];
    const draft = ['--endpoint', 'https://mcp.example.com/mcp'];
    expect(await json('admin', 'connectors', 'create', 'Keyed', ...draft, ...bearer)).toMatchObject({
      auth: { type: 'bearerToken' },
    });
    expect((await call('admin', 'secrets', 'delete', 'demo-token', '--yes')).code).toBe(4);
    const moved = ['--endpoint', 'https://mcp.example.org/mcp'];
    expect(await json('admin', 'connectors', 'update', 'keyed', ...moved)).toMatchObject({
      auth: { type: 'bearerToken' },
    });
    expect((await call('admin', 'secrets', 'delete', 'demo-token', '--yes')).code).toBe(4);
    const header = ['--auth', 'headerInjection', '--header', 'X-Api-Key', '--secret', 'demo-token'];
    const shown = await json('admin', 'connectors', 'update', 'keyed', ...header);
    expect(shown.auth).toEqual({ type: 'headerInjection', header_injection: { header_name: 'X-Api-Key' } });
    expect(JSON.stringify(shown)).not.toContain('demo-token-value');
    expect(await json('admin', 'connectors', 'update', 'keyed', '--auth', 'none')).toMatchObject({
      auth: { type: 'none' },
    });
    expect((await call('admin', 'secrets', 'delete', 'demo-token', '--yes')).code).toBe(0);
  });

  it('reads every field from a file or standard input, and flags have precedence', async () => {
    const fields = { name: 'Filed', endpoint: 'https://mcp.example.com/mcp', version: '3', description: 'from a file' };
    const made = await json('admin', 'connectors', 'create', '--file', file(fields), '--description', 'from a flag');
    expect(made).toMatchObject({ slug: 'filed', version: '3', description: 'from a flag', status: 'draft' });
    const change = await given(
      ['admin', 'connectors', 'update', 'filed', '--file', '-', '--json'],
      '{"version": null, "support_url": "https://example.com/help"}',
    );
    expect(JSON.parse(change.stdout)).toMatchObject({ support_url: 'https://example.com/help' });
    expect(JSON.parse(change.stdout)).not.toHaveProperty('version');
    const typo = await call('admin', 'connectors', 'update', 'filed', '--file', file({ endpiont: 'x' }));
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('endpiont')]);
    expect((await call('admin', 'connectors', 'create', '--file', file([]))).code).toBe(2);
  });

  it('reports the reason of a failed check of the endpoint, and exits with 1', async () => {
    const flags = ['--endpoint', 'http://127.0.0.1:9/mcp', '--private-addresses', '--publish'];
    const made = await call('admin', 'connectors', 'create', 'Unreachable', ...flags);
    expect([made.code, made.stdout, made.stderr]).toEqual([
      1,
      expect.stringMatching(/status +failure/),
      expect.stringMatching(
        /unreachable is not available to users: .+\nTry: gatehouse admin connectors publish unreachable/,
      ),
    ]);
    expect((await call('admin', 'connectors', 'publish', 'unreachable')).code).toBe(1);
  });

  it.each([
    ['a header without its type', ['--header', 'X-Api-Key'], '--auth'],
    ['a secret for no authentication', ['--auth', 'none', '--secret', 'x'], '--secret cannot be used with --auth none'],
    ['a bearer token without a secret', ['--auth', 'bearerToken'], '--auth bearerToken needs --secret'],
    ['a type that needs a file', ['--auth', 'awsSts'], '--file connector.json'],
    ['an address that may not be called', ['--endpoint', 'http://169.254.169.254/'], 'endpoint'],
    ['a secret that is none', ['--auth', 'bearerToken', '--secret', 'nothing'], 'auth.bearer_token.token'],
  ])('refuses %s before any write', async (_what, words, sentence) => {
    const made = await call('admin', 'connectors', 'create', 'Refused', '--endpoint', 'https://e.example/', ...words);
    expect([made.code, made.stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect((await call('admin', 'connectors', 'show', 'refused')).code).toBe(1);
  });
});

describe('gatehouse admin providers', () => {
  it('creates one from its metadata, changes it, and does not delete it while a connector uses it', async () => {
    const issuer = platform.urls.identity_provider;
    expect((await given(['admin', 'secrets', 'create', 'client'], 'client-secret')).code).toBe(0);
    const words = ['--issuer', issuer, '--client-id', 'gatehouse', '--secret', 'client', '--private-addresses'];
    const made = await json<Provider>('admin', 'providers', 'create', 'Corporate', ...words, '--scope', 'openid');
    expect(made).toMatchObject({ provider_type: 'oidc', registration_mode: 'static', source: 'api' });
    expect(made.oidc_config.client_secret).toEqual({ managed_secret_id: expect.any(String) });

    const scopes = ['--scope', 'openid', '--scope', 'email', '--name', 'Renamed'];
    expect(await json('admin', 'providers', 'update', 'corporate', ...scopes)).toMatchObject({
      id: made.id,
      name: 'Renamed',
      oidc_config: { ...made.oidc_config, scopes: ['openid', 'email'] },
    });
    const connector = [
      '--endpoint',
      'https://mcp.example.com/mcp',
      '--auth',
      'upstreamInject',
      '--provider',
      'Renamed',
    ];
    await json('admin', 'connectors', 'create', 'Signed in', ...connector);
    const used = await call('admin', 'providers', 'delete', 'Renamed', '--yes');
    expect([used.code, used.stderr]).toEqual([4, expect.stringContaining('Signed in')]);
    expect((await call('admin', 'connectors', 'delete', 'signed-in', '--yes')).code).toBe(0);
    expect((await call('admin', 'providers', 'list')).stdout).toMatch(
      new RegExp(`^NAME .* DISCOVERY .*\nRenamed .* ${made.discovery.status} `),
    );
    expect((await call('admin', 'providers', 'delete', 'Renamed')).code).toBe(2);
    expect((await call('admin', 'providers', 'delete', 'Renamed', '--yes')).code).toBe(0);
    expect(await json('admin', 'providers', 'list')).toEqual([]);
  });

  it('accepts OAuth 2 and registration in flags or a file, and reports missing fields', async () => {
    const endpoints = [
      ...['--authorization-endpoint', 'https://o.example.com/authorize'],
      ...['--token-endpoint', 'https://o.example.com/token', '--client-id', 'gatehouse'],
    ];
    const plain = await json<Provider>('admin', 'providers', 'create', 'Plain', ...endpoints);
    expect(plain).toMatchObject({ provider_type: 'oauth2', registration_mode: 'static' });
    const registered = file({
      provider_type: 'oauth2',
      oauth2_config: {
        authorization_endpoint: 'https://o.example.com/authorize',
        token_endpoint: 'https://o.example.com/token',
        dcr: { registration_endpoint: 'https://o.example.com/register' },
      },
    });
    expect(await json<Provider>('admin', 'providers', 'update', 'Plain', '--file', registered)).toMatchObject({
      id: plain.id,
      name: 'Plain',
      registration_mode: 'dcr',
    });
    const nowhere = await call('admin', 'providers', 'create', 'Nowhere', '--client-id', 'x');
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('--issuer')]);
    const closed = await call('admin', 'providers', 'create', 'Closed', '--issuer', 'http://127.0.0.1:9', '--dcr');
    expect([closed.code, closed.stderr]).toEqual([2, expect.stringContaining('oidc_config.issuer_url')]);
    expect((await call('admin', 'providers', 'show', 'Nowhere')).stderr).toContain('gatehouse admin providers list');
  });
});

describe('gatehouse connectors', () => {
  const make = async (name: string, ...groups: string[]) => {
    const words = ['--endpoint', upstream.url, '--private-addresses', '--publish'];
    const made = await json('admin', 'connectors', 'create', name, ...words);
    for (const group of groups) await json('admin', 'policy', 'grant', made.slug, '--group', group);
    return made;
  };
  beforeAll(async () => {
    await json('admin', 'groups', 'create', 'own-testers');
    await platform.gatehouse.ok('admin', 'groups', 'add-user', 'own-testers', 'admin');
  });

  it('enables, restricts and disables a connector for the signed-in user', async () => {
    const { slug } = await make('Granted', 'own-testers');
    expect(await json<Own[]>('connectors', 'list')).toEqual([
      expect.objectContaining({ connector: expect.anything() }),
    ]);
    expect((await call('connectors', 'list')).stdout).toMatch(/granted.+ no /);
    const tools = await call('connectors', 'tools', slug, '--default', 'off');
    expect([tools.code, tools.stderr]).toEqual([4, expect.stringContaining(`gatehouse connectors enable ${slug}`)]);
    expect((await call('connectors', 'enable', slug)).stderr).toContain('granted is enabled for you');
    expect(await json<Own>('connectors', 'show', slug)).toMatchObject({ connection: { enabled: true } });

    const narrowed = ['--default', 'off', '--except', 'echo', '--except', 'no_such_tool'];
    expect(await json('connectors', 'tools', slug, ...narrowed)).toMatchObject({
      connector: slug,
      enabled: true,
      tools_enabled_by_default: false,
      tools_exception_list: ['echo', 'no_such_tool'],
    });
    expect(await json('connectors', 'tools', slug, '--default', 'on')).toMatchObject({
      tools_enabled_by_default: true,
      tools_exception_list: ['echo', 'no_such_tool'],
    });
    expect(await json('connectors', 'tools', slug, '--no-exceptions')).toMatchObject({ tools_exception_list: [] });
    expect((await call('connectors', 'tools', slug, '--default', 'maybe')).code).toBe(2);
    expect((await call('connectors', 'disable', slug)).code).toBe(0);
    expect(await json<Own>('connectors', 'show', slug)).toMatchObject({ connection: { enabled: false } });
  });

  it('shows within a minute that the server of a connector has stopped', async () => {
    const server = await startMcpUpstream();
    const words = ['--endpoint', server.url, '--private-addresses', '--publish'];
    const { slug } = await json('admin', 'connectors', 'create', 'Leaving', ...words);
    await json('admin', 'policy', 'grant', slug, '--group', 'own-testers');
    const until = async (status: string) => {
      // The specified time is a minute; a busy machine needs up to two.
      for (let end = Date.now() + 120_000; ;) {
        const own = await json<Own[]>('connectors', 'list');
        const { health } = own.find(({ connector }) => connector.slug === slug) ?? {};
        if (health?.status === status) return health.since;
        if (Date.now() > end) throw new Error(`${slug} is ${health?.status ?? 'unknown'} and not ${status}`);
        await sleep(1_000);
      }
    };
    await until('reachable');
    await server.close();
    const since = await until('unreachable');
    const { stdout } = await call('connectors', 'list');
    expect(stdout).toMatch(/^SLUG .+ HEALTH +/);
    expect(stdout).toContain(`unreachable since ${since}`);
    expect(await json<Own>('connectors', 'show', slug)).toMatchObject({ health: { status: 'unreachable', since } });
    expect((await call('connectors', 'show', slug)).stdout).toMatch(/^health\.status +unreachable$/m);

    const nowhere = { GATEHOUSE_CONNECTOR_GATEWAY_URL: 'http://127.0.0.1:9' };
    const without = await platform.gatehouse.call(['connectors', 'list'], nowhere);
    expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining(slug) });
    expect(without.stderr).toContain(
      'The health of connectors is not shown: the connector gateway at http://127.0.0.1:9 cannot be reached',
    );
  }, 300_000);

  it('shows a forbidden connector like an unknown one', async () => {
    const { id } = await make('Withheld');
    for (const verb of ['show', 'enable', 'tools']) {
      const [withheld, none] = [await call('connectors', verb, 'withheld'), await call('connectors', verb, 'nothing')];
      expect([withheld.code, withheld.stderr]).toEqual([1, none.stderr.replace('nothing', 'withheld')]);
    }
    expect((await call('connectors', 'show', id)).stderr).toBe((await call('connectors', 'show', randomUUID())).stderr);
  });
});

interface Policy {
  connector_id: string;
  mode: string;
  document: string;
  granted_user_groups: { id: string; name: string; display_name: string }[];
}

describe('gatehouse admin policy', () => {
  const policy = (...args: string[]): Promise<Ended> => call('admin', 'policy', ...args);
  const policyJson = <T>(...args: string[]): Promise<T> => json<T>('admin', 'policy', ...args);
  const cedarFile = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  beforeAll(async () => {
    await json('admin', 'connectors', 'create', 'demo', '--endpoint', 'https://mcp.example.com/mcp');
  });

  it('grants and revokes groups, switches to Cedar and back, and simulates decisions', async () => {
    const before = await policyJson<Policy>('show', 'demo');
    expect(before.mode).toBe('structured');
    const { id } = await json<{ id: string }>('admin', 'groups', 'create', 'Policy testers');
    const granted = await policyJson<Policy>('grant', 'demo', '--group', 'policy-testers');
    expect(granted.granted_user_groups).toHaveLength(before.granted_user_groups.length + 1);
    expect(granted.granted_user_groups).toContainEqual({ id, name: 'policy-testers', display_name: 'Policy testers' });
    const simulation = ['simulate', 'demo', 'call_tool', 'echo', '--group', 'policy-testers'];
    expect(await policyJson(...simulation)).toMatchObject({ decision: 'allow', errors: [] });

    expect((await policy('document', 'demo', '--file', cedarFile('all.cedar', ''))).code).toBe(4);
    expect(await policyJson<Policy>('cedar', 'demo')).toMatchObject({ mode: 'cedar', document: granted.document });
    const forbid = cedarFile('forbid.cedar', '@id("closed") forbid(principal, action, resource);\n');
    expect(await policyJson(...simulation, '--document', forbid)).toMatchObject({
      decision: 'deny',
      policies: ['closed'],
    });
    expect(await policyJson(...simulation)).toMatchObject({ decision: 'allow' });
    expect((await policy('document', 'demo', '--file', forbid)).code).toBe(0);
    expect((await policy('document', 'demo')).stdout).toContain('@id("closed")');
    const wrong = await policy('document', 'demo', '--file', cedarFile('wrong.cedar', 'permit(everybody);'));
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('line 1, column')]);
    const claims = cedarFile('claims.json', '{"email": 7}');
    expect(await policyJson('simulate', 'demo', 'connect', '--user', 'alice', '--claims', claims)).toMatchObject({
      decision: 'deny',
      policies: ['closed'],
    });

    expect((await policy('cedar', 'demo', '--off')).code).toBe(2);
    expect(await policyJson<Policy>('cedar', 'demo', '--off', '--yes')).toEqual(granted);
    const revoked = await policyJson<Policy>('revoke', 'demo', '--group', 'policy-testers', '--yes');
    expect(revoked.granted_user_groups).toEqual(before.granted_user_groups);
  });

  it('prints the schema, and reports missing arguments', async () => {
    expect((await policy('schema')).stdout).toContain('entity User in [Group]');
    expect((await policy('show', 'nothing')).stderr).toContain('There is no connector "nothing"');
    expect((await policy('simulate', 'demo', 'connect')).code).toBe(2);
    expect((await policy('simulate', 'demo', 'fly', '--user', 'alice')).code).toBe(2);
  });
});
