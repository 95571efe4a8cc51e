import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePeople } from './admission-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Changes {
  version: number;
  people: { issuer: string; subject: string; active: boolean }[];
  all: boolean;
  reset: boolean;
}

describe('GET /gateway/v1/people/changes', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const ask = async (query: { after?: number; wait?: number } = {}) => {
    const { status, body } = await manager.client.call<Changes>('GET /gateway/v1/people/changes', {
      token: manager.tokens.gateway,
      query,
    });
    expect(status).toBe(200);
    return body;
  };
  const setActive = (subjects: string[], active: boolean) =>
    manager.sql('UPDATE users SET active = $2 WHERE subject = ANY ($1)', [subjects, active]);
  const person = (subject: string, active: boolean) => ({ issuer: manager.issuer.issuer, subject, active });
  /** The version after everything that has happened. */
  const now = async () => {
    let { version, people } = await ask();
    while (people.length > 0) ({ version, people } = await ask({ after: version, wait: 0 }));
    return version;
  };

  it('names nobody who was always active', async () => {
    expect((await ask()).people).toEqual([]);
  });

  it('answers a waiting service when a person is deactivated and activated again', async () => {
    const version = await now();
    const waiting = ask({ after: version });
    await sleep(100);
    await setActive(['alice'], false);
    const first = await waiting;
    expect(first).toMatchObject({ people: [person('alice', false)], all: false, reset: false });
    await setActive(['alice'], true);
    expect((await ask({ after: first.version })).people).toEqual([person('alice', true)]);
    expect((await ask()).people).toContainEqual(person('alice', true));
  });

  it('names a removed person, and nobody whose other attributes change', async () => {
    const [leaver = ''] = await makePeople(manager, 1);
    const version = await now();
    await manager.sql(`UPDATE users SET display_name = 'Other', version = version + 1 WHERE subject = $1`, [leaver]);
    expect((await ask({ after: version, wait: 0 })).people).toEqual([]);
    await manager.sql('DELETE FROM users WHERE subject = $1', [leaver]);
    expect((await ask({ after: version, wait: 0 })).people).toEqual([person(leaver, false)]);
  });

  it('says all when memberships change', async () => {
    const version = await now();
    const waiting = ask({ after: version });
    const { body } = await manager.client.call<{ id: string }>('POST /v1/groups', {
      token: manager.tokens.admin,
      body: { display_name: `Group ${randomUUID()}` },
    });
    await manager.sql('INSERT INTO group_users (group_id, user_id, created_at) VALUES ($1, $2, now())', [
      body.id,
      await manager.userId('alice'),
    ]);
    expect(await waiting).toMatchObject({ people: [], all: true, reset: false });
  });

  it('tells more people than one answer holds in several, each once', async () => {
    const many = await makePeople(manager, 2_100);
    const version = await now();
    await setActive(many, false);
    const seen: string[] = [];
    for (let after = version, answer; (answer = await ask({ after, wait: 0 })).people.length > 0;) {
      expect(answer.people.length).toBeLessThanOrEqual(1_000);
      seen.push(...answer.people.map(({ subject }) => subject));
      after = answer.version;
    }
    expect(seen.sort()).toEqual(many.sort());
  });

  it('sends back to the beginning who comes with a version of another database', async () => {
    const version = await now();
    expect(await ask({ after: version + 1_000_000 })).toMatchObject({ people: [], all: true, reset: true });
  });

  it('answers after the wait where nothing has changed, and does not wait for a first question', async () => {
    const version = await now();
    expect(await ask({ after: version, wait: 1 })).toEqual({ version, people: [], all: false, reset: false });
    expect((await ask()).version).toBeGreaterThan(0);
  });
});
