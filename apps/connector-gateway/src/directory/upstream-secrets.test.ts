import { describe, expect, it } from '@jest/globals';
import { CredentialError, type SecretPlace } from '../mcp/ports/upstream-secrets.ts';
import { ClusterSecretError } from '@gatehouse/kubernetes/secret-value';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { RevealedSecret } from './directory-client.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { UpstreamSecrets } from './upstream-secrets.ts';

const PLACE: SecretPlace = { kind: 'managed', id: 's' };

const connector = (version: number): Connector => ({
  id: 'c',
  slug: 'c',
  name: 'C',
  endpoint: 'https://c.example/mcp',
  transport: 'streamable-http',
  allow_private_ips: false,
  auth: { type: 'bearerToken', secrets: { 'bearer_token.token': { id: 's', version } } },
});

/** A manager with one secret and a manual clock. */
function scene() {
  const state = { now: 1_000_000, requests: 0, response: { value: 'one', version: 1 } as RevealedSecret | Error };
  const secrets = new UpstreamSecrets(
    {
      revealSecret: () => {
        state.requests += 1;
        return state.response instanceof Error ? Promise.reject(state.response) : Promise.resolve(state.response);
      },
    },
    { read: () => Promise.reject(new Error('there is no cluster here')) },
    { maxAgeMs: 60_000, graceMs: 300_000, now: () => state.now },
  );
  secrets.updateVersions([connector(1)]);
  return { state, secrets };
}

describe('UpstreamSecrets with managed secrets', () => {
  it('fetches a secret once for concurrent callers', async () => {
    const { state, secrets } = scene();
    expect(await Promise.all(Array.from({ length: 20 }, () => secrets.get(PLACE)))).toEqual(Array(20).fill('one'));
    state.now += 59_000;
    await secrets.get(PLACE);
    expect(state.requests).toBe(1);
    state.now += 1_000;
    await secrets.get(PLACE);
    expect(state.requests).toBe(2);
  });

  it('fetches again when the snapshot names a newer version', async () => {
    const { state, secrets } = scene();
    await secrets.get(PLACE);
    state.now += 10_000;
    state.response = { value: 'two', version: 2 };
    secrets.updateVersions([connector(2)]);
    expect(await secrets.get(PLACE)).toBe('two');
    expect(await secrets.get(PLACE)).toBe('two');
    expect(state.requests).toBe(2);
  });

  it('limits fetches when the enterprise manager returns an older version than the snapshot', async () => {
    const { state, secrets } = scene();
    secrets.updateVersions([connector(2)]);
    for (let n = 0; n < 10; n += 1) expect(await secrets.get(PLACE)).toBe('one');
    expect(state.requests).toBe(1);
    state.now += 2_000;
    state.response = { value: 'two', version: 2 };
    expect(await secrets.get(PLACE)).toBe('two');
  });

  it('fetches once after a refusal by the upstream, without a loop', async () => {
    const { state, secrets } = scene();
    await secrets.get(PLACE);
    expect(await secrets.findNewerThan(PLACE, 'one')).toBeUndefined();
    state.now += 5_000;
    expect(await secrets.findNewerThan(PLACE, 'one')).toBeUndefined();
    expect(state.requests).toBe(2);
    state.now += 5_000;
    state.response = { value: 'two', version: 2 };
    expect(await Promise.all([secrets.findNewerThan(PLACE, 'one'), secrets.findNewerThan(PLACE, 'one')])).toEqual([
      'two',
      'two',
    ]);
    expect(await secrets.findNewerThan(PLACE, 'one')).toBe('two');
    expect(state.requests).toBe(3);
  });

  it('fetches again after the clock is set back', async () => {
    const { state, secrets } = scene();
    await secrets.get(PLACE);
    state.now -= 3_600_000;
    state.response = { value: 'two', version: 2 };
    expect(await secrets.findNewerThan(PLACE, 'one')).toBe('two');
    state.now -= 3_600_000;
    state.response = { value: 'three', version: 3 };
    secrets.updateVersions([connector(3)]);
    expect(await secrets.get(PLACE)).toBe('three');
    state.response = new ManagerError(503, 'no key');
    state.now += 61_000;
    await secrets.get(PLACE);
    state.now -= 3_600_000;
    state.response = { value: 'four', version: 4 };
    expect(await secrets.get(PLACE)).toBe('four');
  });

  it('serves the last value for a limited time of an outage', async () => {
    const { state, secrets } = scene();
    await secrets.get(PLACE);
    for (const outage of [new ManagerError(undefined, 'no answer'), new ManagerError(503, 'no key')]) {
      state.response = outage;
      state.now += 100_000;
      expect(await secrets.get(PLACE)).toBe('one');
    }
    state.now += 160_000;
    await expect(secrets.get(PLACE)).rejects.toThrow(CredentialError);
  });

  it('forgets withdrawn and unused secrets at once', async () => {
    const { state, secrets } = scene();
    await secrets.get(PLACE);
    state.now += 61_000;
    state.response = new ManagerError(404, 'there is no such secret');
    await expect(secrets.get(PLACE)).rejects.toThrow('is not available at the moment');
    state.now += 3_000;
    state.response = new ManagerError(undefined, 'no answer');
    await expect(secrets.get(PLACE)).rejects.toThrow(CredentialError);
    state.response = { value: 'one', version: 1 };
    state.now += 3_000;
    await secrets.get(PLACE);
    secrets.updateVersions([]);
    state.response = new ManagerError(undefined, 'no answer');
    await expect(secrets.get(PLACE)).rejects.toThrow(CredentialError);
  });

  it.each(['line\nbreak', 'größe', ' blank', 'nul\u0000', ''])(
    'refuses to send %j, with an error that does not repeat it',
    async (value) => {
      const { state, secrets } = scene();
      state.response = { value, version: 1 };
      const error = await secrets.get(PLACE).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CredentialError);
      expect((error as Error).message).toMatch(/characters that a header cannot carry$/);
    },
  );
});

describe('UpstreamSecrets with Secrets of a cluster', () => {
  const REFERENCE = { name: 'upstream', namespace: 'tools', key: 'token' };
  const IN_CLUSTER: SecretPlace = { kind: 'kubernetes', ...REFERENCE };
  const away = new ClusterSecretError('does not answer', true);
  const gone = new ClusterSecretError('does not exist', false);

  function clusterScene() {
    const state = { now: 1_000_000, read: 0, response: 'one' as string | Error };
    const secrets = new UpstreamSecrets(
      { revealSecret: () => Promise.reject(new Error('it is not managed')) },
      {
        read: () => {
          state.read += 1;
          return state.response instanceof Error ? Promise.reject(state.response) : Promise.resolve(state.response);
        },
      },
      { maxAgeMs: 60_000, graceMs: 300_000, now: () => state.now },
    );
    secrets.updateVersions([
      { ...connector(1), auth: { type: 'bearerToken', kubernetes_secrets: { 'bearer_token.token': REFERENCE } } },
    ]);
    return { state, secrets };
  }

  it('reads a Secret once, and again after the age limit', async () => {
    const { state, secrets } = clusterScene();
    expect(await Promise.all(Array.from({ length: 20 }, () => secrets.get(IN_CLUSTER)))).toEqual(Array(20).fill('one'));
    state.response = 'two';
    state.now += 59_000;
    expect([await secrets.get(IN_CLUSTER), state.read]).toEqual(['one', 1]);
    state.now += 1_000;
    expect([await secrets.get(IN_CLUSTER), state.read]).toEqual(['two', 2]);
  });

  it('reads again after a refusal by the upstream', async () => {
    const { state, secrets } = clusterScene();
    await secrets.get(IN_CLUSTER);
    state.response = 'two';
    state.now += 5_000;
    expect(await secrets.findNewerThan(IN_CLUSTER, 'one')).toBe('two');
  });

  it('serves the last value for a limited time of an outage, but not after a refusal', async () => {
    const { state, secrets } = clusterScene();
    await secrets.get(IN_CLUSTER);
    state.response = away;
    state.now += 100_000;
    expect(await secrets.get(IN_CLUSTER)).toBe('one');
    state.now += 3_000;
    state.response = gone;
    const refused = await secrets.get(IN_CLUSTER).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      name: 'CredentialError',
      message: 'cannot be called, because its secret is not available at the moment',
      cause: gone,
    });
    state.now += 3_000;
    state.response = away;
    await expect(secrets.get(IN_CLUSTER)).rejects.toThrow(CredentialError);
  });

  it('forgets Secrets without a connector', async () => {
    const { state, secrets } = clusterScene();
    await secrets.get(IN_CLUSTER);
    secrets.updateVersions([]);
    state.response = away;
    await expect(secrets.get(IN_CLUSTER)).rejects.toThrow(CredentialError);
  });
});
