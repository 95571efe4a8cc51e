import { describe, expect, it } from '@jest/globals';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import type { Call } from '@gatehouse/testing/contract-client';
import { eventually } from '@gatehouse/testing/eventually';
import { createPolicy, type Replica } from '../support/world.ts';
import type { Scene } from '../support/scene.ts';

/** The promised time until a write is visible on other replicas. */
const VISIBLE_MS = 1_000;

/** Defines the tests of two replicas on one backend. */
export function describeReplicas(getScene: () => Scene): void {
  const withToken = (call: Call): Call => ({ token: getScene().world.tokens.admin, ...call });
  const create = (replica: Replica, name: string) =>
    replica.call<AIPolicy>('POST /v1/policies', withToken({ body: createPolicy(name) }));
  const read = (replica: Replica, name: string) =>
    replica.call<AIPolicy>('GET /v1/policies/{name}', withToken({ path: { name } }));
  const patch = (replica: Replica, name: string, ifMatch: string, description: string) =>
    replica.call<AIPolicy>(
      'PATCH /v1/policies/{name}',
      withToken({ path: { name }, headers: { 'if-match': ifMatch }, body: { spec: { description } } }),
    );
  const remove = (replica: Replica, name: string, ifMatch: string) =>
    replica.call('DELETE /v1/policies/{name}', withToken({ path: { name }, headers: { 'if-match': ifMatch } }));
  const readETag = ({ headers }: { headers: Headers }) => headers.get('etag') ?? '';

  describe('two replicas', () => {
    it('show a write at once on the writer and within 1 s on the other', async () => {
      const { first, second } = getScene();
      const created = await create(first, 'replicated');
      expect((await read(first, 'replicated')).body).toEqual(created.body);
      const seen = await eventually(
        async () => {
          const answer = await read(second, 'replicated');
          return readETag(answer) === readETag(created) ? answer : undefined;
        },
        'the other replica has the policy',
        VISIBLE_MS,
      );
      expect(seen.body).toEqual(created.body);
      const patched = await patch(second, 'replicated', readETag(seen), 'second');
      expect((await read(second, 'replicated')).body).toEqual(patched.body);
      await eventually(
        async () => readETag(await read(first, 'replicated')) === readETag(patched),
        'the first replica has the change',
        VISIBLE_MS,
      );
      expect((await remove(first, 'replicated', readETag(patched))).status).toBe(204);
      expect((await read(first, 'replicated')).status).toBe(404);
      await eventually(
        async () => (await read(second, 'replicated')).status === 404,
        'the other replica has the deletion',
        VISIBLE_MS,
      );
    });

    it('accept the ETag of the other replica at once', async () => {
      const { first, second } = getScene();
      let [writer, other] = [first, second];
      let etag = readETag(await create(writer, 'alternating'));
      for (let round = 0; round < 20; round += 1) {
        [writer, other] = [other, writer];
        const answer = await patch(writer, 'alternating', etag, `round ${round}`);
        expect([round, answer.status]).toEqual([round, 200]);
        etag = readETag(answer);
      }
      expect((await remove(other, 'alternating', etag)).status).toBe(204);
    });

    it('let exactly one of two patches with one ETag succeed', async () => {
      const { first, second, world } = getScene();
      let etag = readETag(await create(first, 'contended'));
      for (let round = 0; round < 10; round += 1) {
        const answers = await Promise.all([
          patch(first, 'contended', etag, `a${round}`),
          patch(second, 'contended', etag, `b${round}`),
        ]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
        const winner = answers.find(({ status }) => status === 200) ?? answers[0];
        expect((await world.read('contended'))?.spec).toEqual(winner.body.spec);
        etag = readETag(winner);
      }
    });

    it('lose no write of If-Match: * by parallel editors', async () => {
      const { first, second, world } = getScene();
      await create(first, 'overwritten');
      const answers = await Promise.all(
        [first, second].map((replica) => patch(replica, 'overwritten', '*', replica.url)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect([first.url, second.url]).toContain((await world.read('overwritten'))?.spec.description);
    });

    it('create one policy when both create the same name', async () => {
      const { first, second } = getScene();
      const answers = await Promise.all([create(first, 'twice'), create(second, 'twice')]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    });
  });
}
