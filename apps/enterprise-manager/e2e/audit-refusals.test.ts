import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Line {
  operation: string;
  request_id: string;
  subject: string;
  occurrences: number;
}

describe('audit events of repeated refusals', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const listRefusals = (subject: string) =>
    manager.sql<Line>(
      "SELECT operation, request_id, subject, occurrences FROM audit_events WHERE outcome = 'forbidden' AND subject = $1 ORDER BY occurred_at, id",
      [subject],
    );
  const sendRequest = (token: string, requestId: string, path = '/v1/users') =>
    fetch(`${manager.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'x-request-id': requestId },
    }).then(async (response) => {
      await response.text();
      return response.status;
    });

  it('are limited in rate, while every refusal is answered with 403 and counted', async () => {
    const requestCount = 1_200;
    const statuses: number[] = [];
    for (let n = 0; n < requestCount; n += 100)
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 100 }, (_, at) => sendRequest(manager.tokens.alice, `flood-${n + at}`)),
        )),
      );
    expect(new Set(statuses)).toEqual(new Set([403]));
    const flood = await listRefusals('alice');
    expect(flood.length).toBeGreaterThanOrEqual(500);
    expect(flood.length).toBeLessThan(700);

    // The first refusal of another operation or user has its own event at once.
    expect(await sendRequest(manager.tokens.alice, 'the first of its kind', '/v1/groups')).toBe(403);
    expect((await listRefusals('alice')).at(-1)).toEqual({
      operation: 'List groups',
      request_id: 'the first of its kind',
      subject: 'alice',
      occurrences: 1,
    });
    await sendRequest(manager.tokens.bob, 'from another user');
    expect(await listRefusals('bob')).toMatchObject([{ request_id: 'from another user', occurrences: 1 }]);
    expect(await sendRequest(manager.tokens.alice, 'one more')).toBe(403);

    await manager.stop();
    const all = await listRefusals('alice');
    const users = all.filter(({ operation }) => operation === 'List users');
    expect(users.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(requestCount + 1);
    const summary = users.at(-1);
    expect(summary?.occurrences).toBeGreaterThan(400);
    expect(summary?.request_id).toMatch(/^flood-\d+$/);
  }, 60_000);
});
