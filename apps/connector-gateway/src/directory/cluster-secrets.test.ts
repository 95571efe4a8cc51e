import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '@gatehouse/kubernetes/client';
import { KubernetesApiError } from '@gatehouse/kubernetes/errors';
import { ClusterSecrets } from './cluster-secrets.ts';
import { ClusterSecretError } from '@gatehouse/kubernetes/secret-value';

const REFERENCE = { name: 'up.stream', namespace: 'tools', key: '.token_1' };
const VALUE = 'hunter2';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = (data?: Record<string, string>): KubernetesObject => ({ kind: 'Secret', data });

/** A cluster with one response. */
function scene(response: KubernetesObject | Error, namespaces = ['tools']) {
  const paths: string[] = [];
  const readSecret = (namespace: string, name: string) => {
    paths.push(`${namespace}/${name}`);
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  };
  return { paths, secrets: new ClusterSecrets({ readSecret }, namespaces) };
}

async function failing(reading: Promise<unknown>): Promise<ClusterSecretError> {
  const error = await reading.catch((thrown: unknown) => thrown);
  if (!(error instanceof ClusterSecretError)) throw new Error('it did not fail as it should', { cause: error });
  return error;
}

describe('ClusterSecrets', () => {
  it.each([
    ['unchanged', VALUE],
    ['without the newline of its file', `${VALUE}\n`],
  ])('returns the value of a key, %s', async (_, written) => {
    const { paths, secrets } = scene(secret({ '.token_1': base64(written), other: base64('another') }));
    expect(await secrets.read(REFERENCE)).toBe(VALUE);
    expect(paths).toEqual(['tools/up.stream']);
  });

  it.each([
    ['has no data', secret(), /^the Secret tools\/up\.stream has no key \.token_1$/],
    ['has other keys', secret({ token: base64(VALUE) }), /has no key \.token_1$/],
    ['has an empty value', secret({ '.token_1': '' }), /^the key \.token_1 of the Secret tools\/up\.stream is empty$/],
    [
      'is something else',
      { kind: 'ConfigMap', data: { '.token_1': VALUE } },
      /^the response of the cluster is not the Secret/,
    ],
    [
      'is not JSON',
      new SyntaxError(`Unexpected token h, "${VALUE}" is not valid JSON`),
      /^the response of the cluster is not the Secret/,
    ],
    [
      'does not exist',
      new KubernetesApiError(404, '/'),
      /^the Secret tools\/up\.stream does not exist in the cluster$/,
    ],
    ['may not be read', new KubernetesApiError(403, '/'), /does not let this gateway read .*"get"/],
    [
      'is read with a token that the cluster does not accept',
      new KubernetesApiError(401, '/'),
      /does not accept the token/,
    ],
    ['has moved', new KubernetesApiError(302, '/'), /the Kubernetes API answers 302$/],
  ])('refuses a Secret that %s, with a message without its value', async (_, response, sentence) => {
    const error = await failing(scene(response).secrets.read(REFERENCE));
    expect([error.message, error.isOutage]).toEqual([expect.stringMatching(sentence), false]);
    const chain = [error.message, error.stack, error.cause instanceof Error ? error.cause.message : ''].join();
    expect(chain).not.toContain(VALUE);
    expect(chain).not.toContain(base64(VALUE));
  });

  it.each([
    ['answers 500', new KubernetesApiError(500, '/')],
    ['answers 429', new KubernetesApiError(429, '/')],
    ['cannot be reached', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    ['is called without its token file', Object.assign(new Error('ENOENT'), { code: 'ENOENT' })],
  ])('reports an outage when the cluster %s', async (_, response) => {
    const error = await failing(scene(response).secrets.read(REFERENCE));
    expect([error.message, error.isOutage]).toEqual([
      expect.stringMatching(/^the Secret .* cannot be read, because/),
      true,
    ]);
  });

  it.each(['kube-system', 'tools2', 'tool'])('does not request Secrets of the namespace %s', async (namespace) => {
    const { paths, secrets } = scene(secret({ '.token_1': base64(VALUE) }));
    const error = await failing(secrets.read({ ...REFERENCE, namespace }));
    expect([error.message, error.isOutage]).toEqual([expect.stringContaining('KUBERNETES_SECRETS_NAMESPACES'), false]);
    expect(paths).toEqual([]);
  });

  it.each([
    { name: '..' },
    { name: 'a/../../../kube-system/secrets/b' },
    { name: 'a%2fb' },
    { name: 'a?watch=true' },
    { name: '' },
    { name: 'Upper' },
    { name: '-a' },
    { name: 'a..b' },
    { name: 'a\n' },
    { name: 'a'.repeat(254) },
    { namespace: 'tools/secrets/x?' },
    { namespace: 'a.b' },
    { namespace: '' },
    { key: '..' },
    { key: '.' },
    { key: '..token' },
    { key: 'a/b' },
    { key: '' },
  ])('does not request a Secret by the invalid name %j', async (part) => {
    const { paths, secrets } = scene(secret({ '.token_1': base64(VALUE) }), ['tools', part.namespace ?? 'tools']);
    const error = await failing(secrets.read({ ...REFERENCE, ...part }));
    expect(error.message).toBe('the enterprise manager refers to a Secret with an invalid name, namespace or key');
    expect(paths).toEqual([]);
  });

  it('names the missing setting without a cluster', async () => {
    const error = await failing(new ClusterSecrets(undefined, ['tools']).read(REFERENCE));
    expect(error.message).toMatch(/does not run in a cluster and KUBERNETES_SECRETS_URL is not set$/);
  });
});
