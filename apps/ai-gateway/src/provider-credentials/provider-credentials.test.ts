import type { Guardrails, Provider } from '@gatehouse/ai-resources/generated/types';
import type { KubernetesObject } from '@gatehouse/kubernetes/client';
import { KubernetesApiError } from '@gatehouse/kubernetes/errors';
import type { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import type { Log } from '@gatehouse/service-kit/log';
import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ProviderCredentials } from './provider-credentials.ts';
import type { CredentialPlaces } from './secret-source.ts';

const ID = '0197a3c2-2b9c-71d5-aff2-f15eb4bb768a';
const create = (reference: Partial<Provider>): Provider => ({
  name: 'p',
  kind: 'openai',
  endpoint: 'https://api.openai.com',
  ...reference,
});
const managed = create({ managedSecretId: ID });
const onBedrock = create({ kind: 'anthropic', managedSecretId: ID, platform: { bedrock: { region: 'us-east-1' } } });
const onVertex = create({
  kind: 'google',
  managedSecretId: ID,
  platform: { vertex: { project: 'p', location: 'global' } },
});
const inCluster = create({ secretRef: { name: 'openai', key: 'api-key' } });
const KEY_FILE = { type: 'service_account', client_email: 'a@p.iam.gserviceaccount.com' };
const exportKey = ({ privateKey }: { privateKey: KeyObject }) => privateKey.export({ type: 'pkcs8', format: 'pem' });
const createKeyFile = (pair: { privateKey: KeyObject }) =>
  JSON.stringify({ ...KEY_FILE, private_key: exportKey(pair) });
const RSA_KEY = exportKey(generateKeyPairSync('rsa', { modulusLength: 2_048 }));
const refuse = (status: number) => Promise.reject(Object.assign(new Error('canary'), { status }));

const PLACES: CredentialPlaces = {
  namespace: 'team-a',
  cluster: { readSecret: () => Promise.resolve(createSecret({ 'api-key': 'of the cluster\n' })) },
  manager: { revealSecret: () => Promise.resolve({ value: 'of the manager' }) },
};

const createSecret = (values: Readonly<Record<string, string>>): KubernetesObject => ({
  kind: 'Secret',
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

const revealing = (value: string) => ({ manager: { revealSecret: () => Promise.resolve({ value }) } });

/** Credentials of a gateway whose providers a test replaces. */
function openCredentials(places: Partial<CredentialPlaces> = {}) {
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  let providers: readonly Provider[] | undefined;
  let guardrails: Guardrails | undefined;
  let update = () => {};
  const gateway = {
    explainMissing: () => (providers === undefined ? 'it does not exist' : undefined),
    onUpdate: (listener: () => void) => void (update = listener),
    require: () => ({ spec: { providers, guardrails } }) as unknown as ReturnType<LiveGateway['require']>,
  };
  const warnings: (() => string | undefined)[] = [];
  const checks: (() => Promise<unknown>)[] = [];
  const credentials = new ProviderCredentials(
    gateway,
    { ...PLACES, ...places },
    { info: write, warn: write } as unknown as Log,
    {
      register: (_, check) => void checks.push(check),
      registerWarning: (_, warning) => void warnings.push(warning),
    },
  );
  credentials.onModuleInit();
  const follow = async (...next: readonly Provider[]) => {
    providers = next;
    update();
    await setImmediate();
  };
  const guard = (next: Guardrails) => {
    guardrails = next;
    return follow();
  };
  const lose = () => {
    providers = undefined;
    update();
  };
  return {
    credentials,
    lines,
    follow,
    guard,
    lose,
    readWarning: () => warnings[0]!(),
    checkReadiness: () => checks[0]!(),
  };
}

describe('ProviderCredentials', () => {
  it('are ready when each credential was read once, with a value or a problem', async () => {
    const read = Promise.withResolvers<{ value: string }>();
    const { follow, checkReadiness } = openCredentials({ manager: { revealSecret: () => read.promise } });
    await follow(managed);
    await expect(checkReadiness()).rejects.toThrow('not read yet');
    read.reject(new Error('away'));
    await setImmediate();
    await checkReadiness();
    await follow(managed, inCluster);
    await checkReadiness();
  });

  it('returns the secrets of guardrail webhooks, and names one that is missing', async () => {
    const { credentials, guard, readWarning } = openCredentials({ manager: { revealSecret: () => refuse(404) } });
    const webhook = { url: 'https://dlp.example', timeoutSeconds: 5, failureMode: 'Closed' } as const;
    const requestWebhook = { ...webhook, secretRef: { name: 'openai', key: 'api-key' } };
    await guard({ requestWebhook, responseWebhook: { ...webhook, managedSecretId: ID } });
    expect(credentials.get(requestWebhook)).toBe('of the cluster');
    expect(readWarning()).toMatch(/^spec\.guardrails\.responseWebhook cannot be used: the managed secret/);
  });

  it.each([
    ['a managed secret', managed, 'of the manager'],
    ['a key of a Secret, without the newline at its end', inCluster, 'of the cluster'],
    ['nothing for a provider without a reference', create({}), undefined],
  ])('returns %s', async (_, provider, value) => {
    const { credentials, follow, readWarning } = openCredentials();
    await follow(provider);
    expect([credentials.get(provider), credentials.explainMissing(provider), readWarning()]).toEqual([
      value,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [
      'a managed secret that GATEWAYS does not list',
      managed,
      { manager: { revealSecret: () => refuse(404) } },
      'list it there',
    ],
    ['a gateway without an enterprise manager', managed, { manager: undefined }, 'set ENTERPRISE_MANAGER_URL'],
    ['a refusal of the enterprise manager', managed, { manager: { revealSecret: () => refuse(403) } }, 'answers 403'],
    [
      'an outage of the enterprise manager',
      managed,
      { manager: { revealSecret: () => refuse(503) } },
      'does not answer',
    ],
    ['a Secret for a gateway on files', inCluster, { cluster: undefined }, 'managedSecretId instead of secretRef'],
    [
      'a Secret that a Role does not name',
      inCluster,
      { cluster: { readSecret: () => Promise.reject(new KubernetesApiError(403, '/')) } },
      'a Role with "get"',
    ],
    [
      'a value that no header can carry',
      managed,
      { manager: { revealSecret: () => Promise.resolve({ value: 'canary\nx: y' }) } },
      'characters that a header cannot carry',
    ],
    [
      'malformed JSON for Amazon Bedrock',
      onBedrock,
      revealing('{"accessKeyId":"canary"'),
      'is not valid JSON; a credential',
    ],
    [
      'JSON for Amazon Bedrock without a member',
      onBedrock,
      revealing('{"accessKeyId":"canary","sessionToken":"canary"}'),
      'has no usable secretAccessKey',
    ],
    [
      'keys for Amazon Bedrock that no header can carry',
      onBedrock,
      revealing(JSON.stringify({ accessKeyId: 'canary\n', secretAccessKey: 'canary' })),
      'has no usable accessKeyId',
    ],
    [
      'a key of Google Vertex AI that is no JSON',
      onVertex,
      revealing('AIzacanary'),
      'is not valid JSON; a credential of Google Vertex AI',
    ],
    [
      'a key file of another kind',
      onVertex,
      revealing(JSON.stringify({ type: 'authorized_user', refresh_token: 'canary' })),
      'has no usable type',
    ],
    [
      'a key file without a private key',
      onVertex,
      revealing(JSON.stringify({ ...KEY_FILE, private_key: '-----BEGIN PRIVATE KEY-----\ncanary' })),
      'has no usable private_key',
    ],
    ['a key that is no RSA key', onVertex, revealing(createKeyFile(generateKeyPairSync('ed25519'))), 'private_key'],
    [
      'a short key',
      onVertex,
      revealing(createKeyFile(generateKeyPairSync('rsa', { modulusLength: 1_024 }))),
      'private_key',
    ],
    ...[
      'https://canary.example.com/token',
      'http://oauth2.googleapis.com/token',
      'https://oauth2.googleapis.com.canary.com/token',
      'https://canary@oauth2.googleapis.com/token',
      'https://oauth2.googleapis.com:8443/token',
      'http://169.254.169.254/canary',
      'canary',
    ].map(
      (token_uri) =>
        [
          `the token endpoint ${token_uri}`,
          onVertex,
          revealing(JSON.stringify({ ...KEY_FILE, private_key: RSA_KEY, token_uri })),
          'has no usable token_uri',
        ] as const,
    ),
  ])('explains %s, without a value', async (_, provider, places, message) => {
    const { credentials, follow, lines, readWarning } = openCredentials(places);
    await follow(provider);
    const reason = credentials.explainMissing(provider);
    expect([credentials.get(provider), reason]).toEqual([undefined, expect.stringContaining(message)]);
    expect(reason).toContain('the provider p cannot be used');
    expect(readWarning()).toBe(reason);
    expect(lines).toEqual([expect.stringContaining('cannot be read')]);
    expect(JSON.stringify([reason, lines])).not.toContain('canary');
  });

  it('reads a secret once for several providers and many changes of the AIGateway', async () => {
    let reveals = 0;
    const revealSecret = () => Promise.resolve({ value: `value ${(reveals += 1)}` });
    const { credentials, follow } = openCredentials({ manager: { revealSecret } });
    const second = { ...managed, name: 'second' };
    for (let change = 0; change < 5; change += 1) await follow(managed, second);
    expect([credentials.get(managed), credentials.get(second), reveals]).toEqual(['value 1', 'value 1', 1]);
  });

  it('gives the same secret to owners that need other forms of it', async () => {
    const keys = '{ "accessKeyId": "AKIA", "secretAccessKey": "s",\n "more": 1 }';
    const { credentials, follow } = openCredentials(revealing(keys));
    await follow(onBedrock, { ...managed, name: 'second' });
    expect([credentials.get(onBedrock), credentials.get(managed)]).toEqual([keys, undefined]);
  });

  it('takes the key file of a service account, with its lines', async () => {
    const keyFile = JSON.stringify({ ...KEY_FILE, private_key: RSA_KEY }, null, 2);
    const { credentials, follow } = openCredentials(revealing(keyFile));
    await follow(onVertex);
    expect([credentials.get(onVertex), credentials.explainMissing(onVertex)]).toEqual([keyFile, undefined]);
  });

  it('forgets the secret of a provider that the AIGateway no longer has', async () => {
    const { credentials, follow } = openCredentials();
    await follow(managed);
    await follow();
    expect(credentials.get(managed)).toBeUndefined();
  });

  it('keeps its secrets while the AIGateway cannot be used', async () => {
    const { credentials, follow, lose, readWarning } = openCredentials();
    await follow(managed);
    lose();
    expect([credentials.get(managed), readWarning()]).toEqual(['of the manager', undefined]);
  });

  it('never logs a value', async () => {
    const { follow, lines } = openCredentials();
    await follow(managed, inCluster);
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toMatch(/of the (manager|cluster)/);
  });
});
