import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { WorkloadError } from '../errors/workload-error.ts';
import { readAuthorizationFile } from './authorization-file.ts';
import { requireEnforceableAuthorization } from './check-authorization.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-authz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PERMIT = 'permit(principal, action == Action::"call_tool", resource == Tool::"weather");';
const CONFIG = { version: '1.0', type: 'cedarv1', cedar: { policies: [PERMIT], entities_json: '[]' } };

async function read(content: unknown, name = 'authz.json') {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return readAuthorizationFile(name, folder);
}

const withCedar = (more: object) => ({ ...CONFIG, cedar: { ...CONFIG.cedar, ...more } });

describe('The file of --authz-config', () => {
  it('is JSON or YAML in the format of other tools', async () => {
    expect(await read(CONFIG)).toEqual({ config: CONFIG, path: join(folder, 'authz.json') });
    const yaml = `version: "1.0"\ntype: cedarv1\ncedar:\n  policies:\n    - '${PERMIT}'\n  entities_json: "[]"\n`;
    expect((await read(yaml, 'authz.yaml')).config).toEqual(CONFIG);
    expect((await read(JSON.stringify(CONFIG, null, '\t'))).config).toEqual(CONFIG);
  });

  it('keeps members that this version does not know', async () => {
    const config = { ...withCedar({ group_claim_name: null, tomorrow: 1 }), other: [] };
    expect((await read(config)).config).toEqual(config);
  });

  it.each<[string, string, unknown]>([
    ['line 2, version: is "2.0"; this version of gatehouse reads "1.0"', 'authz.json', { ...CONFIG, version: '2.0' }],
    ['line 1, version: ', 'authz.yaml', 'version: 1.0\ntype: cedarv1\n'],
    ['line 3, type: httpv1 asks another service', 'authz.json', { ...CONFIG, type: 'httpv1' }],
    ['line 3, type: "x" is not a type', 'authz.json', { ...CONFIG, type: 'x' }],
    ['cedar: is missing', 'authz.json', { version: '1.0', type: 'cedarv1' }],
    ['line 5, cedar.policies: has no policy', 'authz.json', withCedar({ policies: [] })],
    ['line 6, cedar.policies.0: ', 'authz.json', withCedar({ policies: [7] })],
    ['cedar.primary_upstream_provider: needs', 'authz.json', withCedar({ primary_upstream_provider: 'x' })],
    ['cedar.group_entity_type: is not a name', 'authz.json', withCedar({ group_entity_type: 'A::B' })],
    ['line 8, cedar.entities_json: is not JSON', 'authz.json', withCedar({ entities_json: '[' })],
    [
      'line 8, cedar.entities_json: error during entity deserialization',
      'authz.json',
      withCedar({ entities_json: '[{"uid":"x"}]' }),
    ],
    [
      'line 7, cedar.policies.1: found an invalid variable in the policy scope: principle',
      'authz.json',
      withCedar({ policies: [PERMIT, 'permit(principle, action, resource);'] }),
    ],
    [
      'line 7, cedar.policies.0: unexpected token `,`',
      'authz.yaml',
      'version: "1.0"\ntype: cedarv1\ncedar:\n  policies:\n    - |\n      permit(principal,\n        action == , resource);\n',
    ],
    ['is not valid YAML', 'authz.yaml', 'version: "1.0"\n  type: x\n'],
    ['is not JSON', 'authz.json', '{'],
    ['is not valid: ', 'authz.yaml', 'x'],
  ])('is refused with %s', async (problem, name, content) => {
    const thrown: unknown = await read(content, name).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(WorkloadError);
    expect(thrown).toMatchObject({ code: 'usage', message: expect.stringContaining(problem) });
    expect((thrown as Error).message).toMatch(new RegExp(`^--authz-config ${name} `));
  });

  it.each(['', 'missing.json'])('cannot be at the path %j', async (path) => {
    await expect(readAuthorizationFile(path, folder)).rejects.toThrow(`--authz-config ${path}`);
  });
});

describe('The authorization of a configuration', () => {
  it('is checked again before a start', async () => {
    await requireEnforceableAuthorization(undefined);
    await requireEnforceableAuthorization(CONFIG);
    await expect(requireEnforceableAuthorization(withCedar({ policies: ['permit'] }))).rejects.toThrow(
      /^The configuration has no valid authz_config\.cedar\.policies\.0: unexpected end of input/,
    );
  });
});
