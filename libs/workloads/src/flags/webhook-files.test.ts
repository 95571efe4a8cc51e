import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { listWebhookSecrets, requireUsableWebhooks } from './configured-webhooks.ts';
import { readWebhookFiles } from './webhook-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown) {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return name;
}
const HOOK = { name: 'check', url: 'https://hook.example/v', failure_policy: 'fail' as const };
const read = (hook: object) => readWebhookFiles([write('hooks.json', { validating: [{ ...HOOK, ...hook }] })], folder);

describe('The files of --webhook-config', () => {
  it('are YAML or JSON in the format of other tools, with paths of this machine', () => {
    write('secret', 'hush\n');
    const yaml = `
validating:
  - name: check
    url: https://hook.example/v
    timeout: 5s
    failure_policy: fail
    hmac_secret_ref: ${join(folder, 'secret')}
mutating:
  - name: enrich
    url: http://hook.internal/m
    failure_policy: ignore
    hmac_secret_ref: NAME,target=X
    tls_config:
      insecure_skip_verify: true
`;
    expect(readWebhookFiles([write('hooks.yaml', yaml)], folder)).toEqual({
      validating: [{ ...HOOK, timeout: '5s', hmac_secret_ref: join(folder, 'secret') }],
      mutating: [
        {
          name: 'enrich',
          url: 'http://hook.internal/m',
          failure_policy: 'ignore',
          hmac_secret_ref: 'NAME,target=X',
          tls_config: { insecure_skip_verify: true },
        },
      ],
    });
    expect(read({ timeout: 5_000_000_000, tomorrow: 1 }).validating).toEqual([
      { ...HOOK, timeout: 5_000_000_000, tomorrow: 1 },
    ]);
  });

  it('merge by name and kind, each in the place of the first', () => {
    const first = write('1.json', {
      validating: [
        { ...HOOK, name: 'a' },
        { ...HOOK, name: 'b' },
      ],
      mutating: [{ ...HOOK, name: 'b' }],
    });
    const second = write('2.json', {
      validating: [
        { ...HOOK, name: 'c' },
        { ...HOOK, name: 'a', timeout: '1s' },
      ],
    });
    const { validating, mutating } = readWebhookFiles([first, second], folder);
    expect(validating.map(({ name, timeout }) => [name, timeout])).toEqual([
      ['a', '1s'],
      ['b', undefined],
      ['c', undefined],
    ]);
    expect(mutating).toEqual([{ ...HOOK, name: 'b' }]);
  });

  it.each<[string, object]>([
    ['line 4, validating.0.name: is empty', { name: '' }],
    ['line 6, validating.0.failure_policy: is not one of fail, ignore', { failure_policy: 'retry' }],
    ['line 5, validating.0.url: must begin with https://', { url: 'http://hook.example' }],
    ['line 5, validating.0.url: ', { url: 'hook' }],
    ['line 5, validating.0.url: must not carry a user name', { url: 'https://a:b@hook.example' }],
    ['line 7, validating.0.timeout: must be from 0 to 30s', { timeout: '31s' }],
    ['line 7, validating.0.timeout: must be from 0 to 30s', { timeout: -1e9 }],
    ['line 7, validating.0.timeout', { timeout: 'soon' }],
    ['tls_config: needs both', { tls_config: { client_cert_path: 'x.pem' } }],
    ['tls_config.ca_bundle_path: ', { tls_config: { ca_bundle_path: 'missing.pem' } }],
    ['tls_config.insecure_skip_verify: is not of the type boolean', { tls_config: { insecure_skip_verify: 'yes' } }],
    ['line 7, validating.0.hmac_secret_ref: ', { hmac_secret_ref: '/missing/secret' }],
    ['line 7, validating.0.hmac_secret_ref: ', { hmac_secret_ref: 'a,b' }],
  ])('are refused with %s', (problem, hook) => {
    expect(() => read(hook)).toThrow(problem);
    expect(() => read(hook)).toThrow(/^--webhook-config hooks.json is not valid: /);
  });

  it.each([
    ['', 'is not the path'],
    ['missing.json', 'cannot be read'],
    [write('empty.json', {}), 'has neither a validating nor a mutating webhook'],
    [write('text.yaml', 'x'), 'is not valid'],
  ])('cannot be %j', (path, problem) => {
    expect(() => readWebhookFiles([path], folder)).toThrow(problem);
  });
});

describe('The webhooks of a configuration', () => {
  it('name their secrets once for each webhook, and no files', () => {
    const hooks = [{ ...HOOK, hmac_secret_ref: 'A' }, { ...HOOK, hmac_secret_ref: join(folder, 'secret') }, HOOK];
    const references = listWebhookSecrets({
      validating_webhooks: hooks,
      mutating_webhooks: [{ ...HOOK, hmac_secret_ref: 'B,target=X' }],
    });
    expect(references.map(String)).toEqual(['B,target=WEBHOOK_0', 'A,target=WEBHOOK_1']);
  });

  it('are checked again before a start', async () => {
    await requireUsableWebhooks({});
    await requireUsableWebhooks({ mutating_webhooks: [HOOK] });
    await expect(requireUsableWebhooks({ mutating_webhooks: [{ ...HOOK, url: 'ftp://x' }] })).rejects.toThrow(
      'The configuration has no valid mutating_webhooks.0.url',
    );
  });
});
