import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ageNextKey } from './config-samples.ts';
import { accepted, askConfig, fetchKeySet, on, putConfig } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';

/** A rotation is in use everywhere after a second; a busy machine gets some more. */
const FOLLOWED_WITHIN_MS = 1_000 + 2_000;

describe('two replicas that sign', () => {
  let manager: TestManager;
  let replicas: [Replica, Replica];
  beforeAll(async () => {
    manager = await startManager();
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  }, 60_000);

  const at = ({ url }: Replica) => ({ baseUrl: url, issuer: manager.issuer });
  const rotate = (replica: Replica) =>
    replica.call({ method: 'POST', path: '/v1/signing-keys/rotate', token: manager.tokens.admin });
  const shownBy = async (replica: Replica) => (await fetchKeySet(at(replica))).keys.map(({ kid }) => kid);
  const crosswise = async (replica: Replica, lastAccepted?: string) => {
    const { status, text } = await askConfig(at(replica), manager.tokens.alice);
    expect(status).toBe(200);
    const envelopes = await Promise.all(
      replicas.map(async (other) =>
        accepted(at(other), text, {
          keys: await fetchKeySet(at(other)),
          ...(lastAccepted !== undefined && { lastAccepted }),
        }),
      ),
    );
    return envelopes[0] ?? neverJudged();
  };
  const followed = async (kid: string) => {
    const end = Date.now() + FOLLOWED_WITHIN_MS;
    for (const replica of replicas) {
      while ((await shownBy(replica))[1] !== kid) {
        if (Date.now() > end) throw new Error('a replica does not follow the rotation');
        await sleep(10);
      }
    }
  };

  it('create one pair of keys when they start together, and answer with the same envelope', async () => {
    const sets = await Promise.all(replicas.map(shownBy));
    expect(sets[0]).toEqual(sets[1]);
    expect(sets[0]).toHaveLength(2);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => askConfig(at(replicas[n % 2 === 0 ? 0 : 1]), manager.tokens.bob)),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const other = await askConfig(at(replicas[1]), manager.tokens.bob, { 'if-none-match': responses[0]?.etag ?? '' });
    expect(other.status).toBe(304);
  }, 60_000);

  it('accept the signatures of each other during rotations, with increasing issued_at', async () => {
    let last = (await crosswise(replicas[0])).issued_at;
    const state = { rotating: true };
    const clients = replicas.map(async (replica) => {
      let requests = 0;
      while (state.rotating) {
        await crosswise(replica);
        requests += 1;
      }
      return requests;
    });
    try {
      for (let round = 0; round < 4; round += 1) {
        await ageNextKey(manager);
        const { status, body } = await rotate(replicas[round % 2 === 0 ? 0 : 1]);
        expect(status).toBe(200);
        const [, current] = body['keys'] as { kid: string }[];
        await followed(current?.kid ?? '');
        for (const replica of replicas) {
          const { kid, issued_at } = await crosswise(replica, last);
          expect(kid).toBe(current?.kid);
          last = issued_at;
        }
      }
    } finally {
      state.rotating = false;
    }
    for (const requests of await Promise.all(clients)) expect(requests).toBeGreaterThan(0);
  }, 120_000);

  it('rotate once for parallel requests', async () => {
    await ageNextKey(manager);
    const responses = await Promise.all([...replicas, ...replicas].map(rotate));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    for (const replica of replicas) await crosswise(replica);
  }, 60_000);

  it('issue envelopes in one order when they answer changes alternately', async () => {
    let last = '2020-01-01T00:00:00.000Z';
    for (let round = 0; round < 10; round += 1) {
      await putConfig(manager, { build_env: { ROUND: String(round) }, playground: on(round % 2 === 0) });
      const { issued_at, config } = await crosswise(replicas[round % 2 === 0 ? 0 : 1], last);
      expect(config).toMatchObject({ build_env: { ROUND: String(round) } });
      expect(issued_at > last).toBe(true);
      last = issued_at;
    }
  }, 60_000);

  it('follow a rotation without a notification', async () => {
    await manager.sql('DROP TRIGGER signing_keys_tell ON signing_keys');
    await ageNextKey(manager);
    const { body } = await rotate(replicas[0]);
    await followed((body['keys'] as { kid: string }[])[1]?.kid ?? '');
    await crosswise(replicas[1]);
  }, 60_000);
});

function neverJudged(): never {
  throw new Error('there is no replica');
}
