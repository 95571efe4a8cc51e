import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeScimToken } from './scim-scene.ts';
import { makeSecret } from './secret-scene.ts';

/** A page of any of these lists. */
interface Page {
  items: { id: string }[];
  next_cursor?: string;
  prev_cursor?: string;
}
/** A paged list for administrators, and the functions that add and remove its rows. */
interface List {
  operation: string;
  /** A filter that matches all rows of the test. */
  filter: Record<string, string>;
  /** A second filter; a cursor of the first filter is invalid with it. */
  otherFilter: Record<string, string>;
  add: () => Promise<unknown>;
  /** Absent for lists whose rows cannot be removed. */
  remove?: (id: string) => Promise<unknown>;
}

const NAMES = ['managed secrets', 'SCIM tokens', 'audit events'] as const;

describe('lists for administrators', () => {
  let manager: TestManager;
  const lists = {} as Record<(typeof NAMES)[number], List>;

  const call = <Body = Page>(name: (typeof NAMES)[number], query: object, token = manager.tokens.admin) =>
    manager.client.call<Body>(lists[name].operation, { token, query: { ...query } });
  const readPage = async (name: (typeof NAMES)[number], query: object) => {
    const { status, body } = await call(name, { ...lists[name].filter, ...query });
    expect(status).toBe(200);
    return body;
  };
  const listIds = ({ items }: Page) => items.map(({ id }) => id);
  const expectRefusal = async (name: (typeof NAMES)[number], field: string, query: object, token?: string) => {
    const { status, body } = await call<{ error: string }>(name, query, token);
    expect([query, status, body.error]).toEqual([query, 400, expect.stringContaining(field)]);
  };

  beforeAll(async () => {
    manager = await startManager();
    lists['managed secrets'] = {
      operation: 'GET /v1/managed-secrets',
      filter: {},
      otherFilter: { name: 'something else' },
      add: () => makeSecret(manager),
      remove: (id) => manager.sql('DELETE FROM managed_secrets WHERE id = $1', [id]),
    };
    lists['SCIM tokens'] = {
      operation: 'GET /v1/scim-tokens',
      filter: { issuer_id: 'local' },
      otherFilter: {},
      add: () => makeScimToken(manager),
      remove: (id) => manager.sql('DELETE FROM scim_tokens WHERE id = $1', [id]),
    };
    lists['audit events'] = {
      operation: 'GET /v1/audit-events',
      filter: { operation: 'Create group' },
      otherFilter: { operation: 'Delete group' },
      add: () =>
        manager.client.call('POST /v1/groups', {
          token: manager.tokens.admin,
          body: { display_name: `Listed ${randomUUID()}` },
        }),
    };
    for (const name of NAMES) for (let n = 0; n < 12; n += 1) await lists[name].add();
  }, 60_000);
  afterAll(() => manager.close());

  describe.each(NAMES)('the list of %s', (name) => {
    it('returns each remaining row exactly once and in order, forward and backward, during inserts and deletes', async () => {
      const { add, remove } = lists[name];
      const start = listIds(await readPage(name, { limit: 200 }));
      expect(start.length).toBeGreaterThanOrEqual(12);
      const gone = new Set<string>();
      const removeRow = async (id: string | undefined) => {
        if (id === undefined || gone.has(id) || !remove) return;
        gone.add(id);
        await remove(id);
      };
      let at = await readPage(name, { limit: 2 });
      const forward = listIds(at);
      for (let turn = 0; at.next_cursor !== undefined && turn < 50; turn += 1) {
        if (turn < 3) {
          await add();
          // The row at the cursor, and a row that follows later.
          await removeRow(start.find((id) => id === forward.at(-1)));
          await removeRow(start.findLast((id) => !forward.includes(id)));
        }
        at = await readPage(name, { limit: 2, cursor: at.next_cursor });
        forward.push(...listIds(at));
      }
      expect(at.next_cursor).toBeUndefined();
      expect(new Set(forward).size).toBe(forward.length);
      const stayed = start.filter((id) => !gone.has(id));
      expect(forward.filter((id) => stayed.includes(id))).toEqual(stayed);

      const back = listIds(at);
      for (let turn = 0; at.prev_cursor !== undefined && turn < 50; turn += 1) {
        if (turn < 2) {
          await add();
          await removeRow(stayed.find((id) => !gone.has(id)));
        }
        at = await readPage(name, { limit: 2, before: at.prev_cursor });
        back.unshift(...listIds(at));
      }
      expect(at.prev_cursor).toBeUndefined();
      expect(new Set(back).size).toBe(back.length);
      const left = stayed.filter((id) => !gone.has(id));
      expect(back.filter((id) => left.includes(id))).toEqual(left);
    });

    it('refuses forged cursors, two cursors at once, and cursors of another caller, filter or list', async () => {
      const { filter, otherFilter } = lists[name];
      const cursor = (await readPage(name, { limit: 1 })).next_cursor ?? '';
      expect(cursor).not.toBe('');
      for (const side of ['cursor', 'before']) {
        for (const forged of ['x', cursor.slice(0, -2), `${cursor}A`, 'A'.repeat(2_048), `${cursor}\u0000`]) {
          await expectRefusal(name, side, { ...filter, [side]: forged });
        }
        await expectRefusal(name, side, { ...filter, [side]: cursor }, manager.tokens.auditor);
        await expectRefusal(name, side, { ...otherFilter, [side]: cursor });
        for (const other of NAMES.filter((one) => one !== name)) {
          await expectRefusal(other, side, { ...lists[other].filter, [side]: cursor });
        }
      }
      await expectRefusal(name, 'before', { ...filter, cursor, before: cursor });
      expect(listIds(await readPage(name, { limit: 1, cursor }))).toHaveLength(1);
    });

    it.each(['0', '-1', '1.5', 'ten', ''])('refuses the limit %j', (limit) => expectRefusal(name, 'limit', { limit }));

    it('reduces a larger limit to the maximum and refuses unknown parameters', async () => {
      const all = listIds(await readPage(name, { limit: 200 }));
      expect(listIds(await readPage(name, { limit: '99999999999999999999' }))).toEqual(all);
      await expectRefusal(name, 'offset', { offset: 1 });
    });
  });
});
