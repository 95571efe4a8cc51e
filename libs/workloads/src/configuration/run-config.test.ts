import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { requireBuiltSections } from './built-sections.ts';
import * as fixtures from './exported-configs.fixture.ts';
import { readRunConfig, type RunConfig, writeRunConfig } from './run-config.ts';

const read = (document: object): RunConfig => readRunConfig(JSON.stringify(document));
const rewrite = (document: object) => JSON.parse(writeRunConfig(read(document))) as Record<string, unknown>;

/** A document without the members that stand for their absence. */
const withoutDefaults = (document: object) => {
  const defaults = read({ name: 'x' }) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(document).filter(
      ([name, value]) => name === 'name' || JSON.stringify(value) !== JSON.stringify(defaults[name]),
    ),
  );
};

describe('a run configuration', () => {
  it.each(Object.entries(fixtures))('is read and written without a loss: %s', (_, document) => {
    expect(withoutDefaults(rewrite(document))).toEqual(withoutDefaults(document));
    expect(rewrite(rewrite(document))).toEqual(rewrite(document));
  });

  it('keeps members that this version does not know, at every depth', () => {
    const unknown = { of_tomorrow: [{ a: 1 }], permission_profile: { network: { outbound: { x: 'y' }, z: null } } };
    expect(rewrite({ ...fixtures.WRITTEN_BY_HAND, ...unknown })).toMatchObject(unknown);
  });

  it('keeps any JSON in members that it does not know', () => {
    const member = fc.tuple(
      fc.string().map((name) => `x_${name}`),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), (members) => {
        const extra = JSON.parse(JSON.stringify(Object.fromEntries(members))) as object;
        expect(rewrite({ ...fixtures.WRITTEN_BY_HAND, ...extra })).toMatchObject(extra);
      }),
      { numRuns: 100 * effort },
    );
  });

  it('has defaults for the members that a document leaves out', () => {
    expect(read(fixtures.WRITTEN_BY_HAND)).toMatchObject({
      host: '127.0.0.1',
      env_vars: {},
      publish: [],
      debug: false,
    });
  });

  it.each([
    ['schema_version', { schema_version: 'v9.0.0' }, 'has version "v9.0.0"'],
    ['name', { name: '' }, 'name'],
    ['name', { name: 5 }, 'name'],
    ['cmd_args', { cmd_args: 'x' }, 'cmd_args'],
    ['cmd_args.1', { cmd_args: ['a', 1] }, 'cmd_args.1'],
    ['env_vars.A', { env_vars: { A: 1 } }, 'env_vars.A'],
    ['port', { port: 65_536 }, 'port'],
    ['transport', { transport: 'grpc' }, 'transport'],
    ['session_ttl', { session_ttl: 'soon' }, 'session_ttl must be a duration'],
    ['permission_profile', { permission_profile: { network: { outbound: { allow_port: [0] } } } }, 'allow_port.0'],
    ['oidc_config', { oidc_config: [] }, 'oidc_config'],
    ['memory_limit', { memory_limit: -1 }, 'memory_limit'],
  ])('names the member that is wrong: %s', (_, change, message) => {
    expect(() => read({ ...fixtures.WRITTEN_BY_HAND, ...change })).toThrow(message);
  });

  it.each(['null', '[]', '"x"', '5'])('is not %s', (document) => {
    expect(() => readRunConfig(document)).toThrow('not a JSON object');
  });
});

describe('requireBuiltSections', () => {
  it('accepts what this version runs', () => {
    expect(() => requireBuiltSections(read(fixtures.EXPORTED_IMAGE))).not.toThrow();
    expect(() => requireBuiltSections(read(fixtures.WRITTEN_BY_HAND))).not.toThrow();
    expect(() => requireBuiltSections(read(fixtures.EXPORTED_PACKAGE))).not.toThrow();
  });

  it('names every section that nothing would enforce', () => {
    expect(() => requireBuiltSections(read(fixtures.EXPORTED_REMOTE))).toThrow(/scaling_config/);
  });

  it('names members of the sections of a remote server that it does not know, and all of them elsewhere', () => {
    const config = { ...fixtures.WRITTEN_BY_HAND, header_forward: { add_headers_from_secret: { A: 'b' } } };
    expect(() => requireBuiltSections(read(config))).toThrow('header_forward.add_headers_from_secret');
    const remote = { ...config, remote_url: 'https://mcp.example.com/mcp' };
    expect(() => requireBuiltSections(read(remote))).not.toThrow();
    const unknown = { ...remote, remote_auth_config: { bearer_token: 'A,target=b', proof: 'x' } };
    expect(() => requireBuiltSections(read(unknown))).toThrow('remote_auth_config.proof');
  });

  it('refuses middleware that it does not have', () => {
    const middleware_configs = [{ type: 'mcp-parser' }, { type: 'authorization', parameters: {} }];
    const authenticating = [{ type: 'auth', parameters: { oidc_config: { issuer: 'https://issuer.example' } } }];
    const authenticated = read({ ...fixtures.WRITTEN_BY_HAND, middleware_configs: authenticating });
    expect(() => requireBuiltSections(authenticated)).toThrow('middleware_configs of the type auth');
    expect(() => requireBuiltSections(read({ ...fixtures.WRITTEN_BY_HAND, middleware_configs }))).toThrow(
      'middleware_configs of the type authorization',
    );
  });

  it('accepts the middleware that repeats a filter of tools, and only with the filter', () => {
    const middleware_configs = [{ type: 'tool-filter', parameters: {} }, { type: 'tool-call-filter' }];
    const config = { ...fixtures.WRITTEN_BY_HAND, middleware_configs };
    expect(() => requireBuiltSections(read({ ...config, tools_filter: ['a'] }))).not.toThrow();
    expect(() => requireBuiltSections(read(config))).toThrow('middleware_configs of the type tool-filter');
    for (const name of ['audit_config_path', 'authz_config_path'])
      expect(() => requireBuiltSections(read({ ...fixtures.WRITTEN_BY_HAND, [name]: '/file.json' }))).toThrow(name);
  });

  it('accepts the middleware that repeats an authorization, and only with its policies', () => {
    const { authz_config } = fixtures.EXPORTED_REMOTE;
    const config = { ...fixtures.WRITTEN_BY_HAND, middleware_configs: [{ type: 'authorization', parameters: {} }] };
    expect(() => requireBuiltSections(read({ ...config, authz_config }))).not.toThrow();
    expect(() => requireBuiltSections(read(config))).toThrow('middleware_configs of the type authorization');
  });

  it('accepts the middleware that repeats webhooks, and only with them', () => {
    const { validating_webhooks } = fixtures.EXPORTED_REMOTE;
    const config = {
      ...fixtures.WRITTEN_BY_HAND,
      middleware_configs: [{ type: 'validating-webhook', parameters: {} }],
    };
    expect(() => requireBuiltSections(read({ ...config, validating_webhooks }))).not.toThrow();
    expect(() => requireBuiltSections(read({ ...config, mutating_webhooks: validating_webhooks }))).toThrow(
      'of the type validating-webhook',
    );
  });

  it('ignores sections that say nothing', () => {
    const empty = { oidc_config: null, tools_filter: [], secrets: [], authz_config_path: '', runtime_config: {} };
    expect(() => requireBuiltSections(read({ ...fixtures.WRITTEN_BY_HAND, ...empty }))).not.toThrow();
  });
});
