import { describe, expect, it } from '@jest/globals';
import { CredentialProblem } from '../mcp/credentials.ts';
import { DirectoryError, type RevealedSecret } from './directory-client.ts';
import type { Connector } from './snapshot.ts';
import { UpstreamSecrets } from './upstream-secrets.ts';

const connector = (version: number): Connector => ({
  id: 'c',
  slug: 'c',
  name: 'C',
  endpoint: 'https://c.example/mcp',
  transport: 'streamable-http',
  allow_private_ips: false,
  auth: { type: 'bearerToken', secrets: { 'bearer_token.token': { id: 's', version } } },
});

/** A manager with one secret, whose clock stands still unless it is moved. */
function scene() {
  const state = { now: 1_000_000, asked: 0, answer: { value: 'one', version: 1 } as RevealedSecret | Error };
  const secrets = new UpstreamSecrets(
    {
      reveal: () => {
        state.asked += 1;
        return state.answer instanceof Error ? Promise.reject(state.answer) : Promise.resolve(state.answer);
      },
    },
    { maxAgeMs: 60_000, graceMs: 300_000, now: () => state.now },
  );
  secrets.learn([connector(1)]);
  return { state, secrets };
}

describe('secrets of upstreams', () => {
  it('are asked for once, also by many at the same time', async () => {
    const { state, secrets } = scene();
    expect(await Promise.all(Array.from({ length: 20 }, () => secrets.get('s')))).toEqual(Array(20).fill('one'));
    state.now += 59_000;
    await secrets.get('s');
    expect(state.asked).toBe(1);
    state.now += 1_000;
    await secrets.get('s');
    expect(state.asked).toBe(2);
  });

  it('are asked for again when the snapshot names a newer version', async () => {
    const { state, secrets } = scene();
    await secrets.get('s');
    state.now += 10_000;
    state.answer = { value: 'two', version: 2 };
    secrets.learn([connector(2)]);
    expect(await secrets.get('s')).toBe('two');
    expect(await secrets.get('s')).toBe('two');
    expect(state.asked).toBe(2);
  });

  it('are not asked for all the time by a replica that is behind the snapshot', async () => {
    const { state, secrets } = scene();
    secrets.learn([connector(2)]);
    for (let n = 0; n < 10; n += 1) expect(await secrets.get('s')).toBe('one');
    expect(state.asked).toBe(1);
    state.now += 2_000;
    state.answer = { value: 'two', version: 2 };
    expect(await secrets.get('s')).toBe('two');
  });

  it('are replaced after a refusal, once, and not in a circle', async () => {
    const { state, secrets } = scene();
    await secrets.get('s');
    expect(await secrets.insteadOf('s', 'one')).toBeUndefined();
    state.now += 5_000;
    expect(await secrets.insteadOf('s', 'one')).toBeUndefined();
    expect(state.asked).toBe(2);
    state.now += 5_000;
    state.answer = { value: 'two', version: 2 };
    expect(await Promise.all([secrets.insteadOf('s', 'one'), secrets.insteadOf('s', 'one')])).toEqual(['two', 'two']);
    expect(await secrets.insteadOf('s', 'one')).toBe('two');
    expect(state.asked).toBe(3);
  });

  it('do not get stuck when the clock is set back', async () => {
    const { state, secrets } = scene();
    await secrets.get('s');
    state.now -= 3_600_000;
    state.answer = { value: 'two', version: 2 };
    expect(await secrets.insteadOf('s', 'one')).toBe('two');
    state.now -= 3_600_000;
    state.answer = { value: 'three', version: 3 };
    secrets.learn([connector(3)]);
    expect(await secrets.get('s')).toBe('three');
    state.answer = new DirectoryError(503, 'no key');
    state.now += 61_000;
    await secrets.get('s');
    state.now -= 3_600_000;
    state.answer = { value: 'four', version: 4 };
    expect(await secrets.get('s')).toBe('four');
  });

  it('live through an outage for a bounded time', async () => {
    const { state, secrets } = scene();
    await secrets.get('s');
    for (const outage of [new DirectoryError(undefined, 'nobody there'), new DirectoryError(503, 'no key')]) {
      state.answer = outage;
      state.now += 100_000;
      expect(await secrets.get('s')).toBe('one');
    }
    state.now += 160_000;
    await expect(secrets.get('s')).rejects.toThrow(CredentialProblem);
  });

  it('are forgotten at once when they are withdrawn, and when no connector uses them', async () => {
    const { state, secrets } = scene();
    await secrets.get('s');
    state.now += 61_000;
    state.answer = new DirectoryError(404, 'there is no such secret');
    await expect(secrets.get('s')).rejects.toThrow('cannot be had at the moment');
    state.now += 3_000;
    state.answer = new DirectoryError(undefined, 'nobody there');
    await expect(secrets.get('s')).rejects.toThrow(CredentialProblem);
    state.answer = { value: 'one', version: 1 };
    state.now += 3_000;
    await secrets.get('s');
    secrets.learn([]);
    state.answer = new DirectoryError(undefined, 'nobody there');
    await expect(secrets.get('s')).rejects.toThrow(CredentialProblem);
  });

  it.each(['line\nbreak', 'größe', ' blank', 'nul\u0000', ''])(
    'are not sent as %j, and the error does not show it',
    async (value) => {
      const { state, secrets } = scene();
      state.answer = { value, version: 1 };
      const error = await secrets.get('s').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CredentialProblem);
      expect((error as Error).message).toMatch(/characters that a header cannot carry$/);
    },
  );
});
