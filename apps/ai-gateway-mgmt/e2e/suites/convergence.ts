import { describe, expect, it } from '@jest/globals';
import { drawNumber, effort } from '@gatehouse/testing/effort';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { eventually } from '@gatehouse/testing/eventually';
import type { Scene } from '../support/scene.ts';
import { createPolicy, type Replica } from '../support/world.ts';

/** Policies that only the replicas write. */
const OWN_NAMES = ['race-a', 'race-b'];
/** A policy that a person edits, too. It is not created again, so that it has one file. */
const SHARED_NAME = 'race-c';
const NAMES = [...OWN_NAMES, SHARED_NAME];
const WRITERS = 6;
const ROUNDS = 15 * effort;

/** Defines the test of random writes through both replicas and from outside, in parallel. */
export function describeConvergence(getScene: () => Scene): void {
  /** Picks one of the values by the seed of the run. */
  const pick = <T>(values: readonly T[], name: string): T => values[Math.floor(drawNumber(name) * values.length)] as T;

  const writeOnce = async (step: string): Promise<number> => {
    const { backend, first, second, world } = getScene();
    const replica = pick([first, second], `${step} replica`);
    const verb = pick(['create', 'patch', 'patch', 'patch shared', 'delete', 'edit shared'], `${step} verb`);
    const name = verb.endsWith('shared') ? SHARED_NAME : pick(OWN_NAMES, `${step} name`);
    const token = world.tokens.admin;
    const policy = createPolicy(name, { description: step });
    const readETag = async () =>
      (await replica.call('GET /v1/policies/{name}', { token, path: { name } })).headers.get('etag') ?? '"0"';
    const headers = { 'if-match': drawNumber(`${step} any`) < 0.3 ? '*' : await readETag() };
    switch (verb) {
      case 'create':
        return (await replica.call('POST /v1/policies', { token, body: policy })).status;
      case 'patch':
      case 'patch shared': {
        const body = { spec: { description: step } };
        return (await replica.call('PATCH /v1/policies/{name}', { token, path: { name }, headers, body })).status;
      }
      case 'delete':
        return (await replica.call('DELETE /v1/policies/{name}', { token, path: { name }, headers })).status;
      default:
        await backend.apply('AIPolicy', policy);
        return 200;
    }
  };

  describe('random parallel writes', () => {
    it('answer 2xx, 404, 409 or 412, and both replicas then show what the store has', async () => {
      const { first, second, world } = getScene();
      await first.call('POST /v1/policies', { token: world.tokens.admin, body: createPolicy(SHARED_NAME) });
      const statuses = new Set<number>();
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let round = 0; round < ROUNDS; round += 1) statuses.add(await writeOnce(`${writer} ${round}`));
      });
      await Promise.all(writers);
      expect([...statuses].filter((status) => ![200, 201, 204, 404, 409, 412].includes(status))).toEqual([]);
      const listOwn = async (replica: Replica) => {
        const { body } = await replica.call<{ items: AIPolicy[] }>('GET /v1/policies', { token: world.tokens.admin });
        return JSON.stringify(body.items.filter(({ metadata }) => NAMES.includes(metadata.name)));
      };
      await eventually(async () => {
        const stored = (await Promise.all(NAMES.map((name) => world.read(name)))).filter(
          (policy) => policy !== undefined,
        );
        const isExamined = stored.every(({ metadata, status }) => status?.observedGeneration === metadata.generation);
        const expected = JSON.stringify(stored);
        return isExamined && (await listOwn(first)) === expected && (await listOwn(second)) === expected;
      }, 'both replicas show the policies of the store, with their status');
    }, 120_000);
  });
}
