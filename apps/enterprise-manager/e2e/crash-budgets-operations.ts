import { randomUUID } from 'node:crypto';
import { adminRequest, readFlags, type CrashOperation, sendRequest } from './crash-scene.ts';
import { pricingOperations } from './crash-pricing-operations.ts';
import type { TestManager } from './enterprise-manager.ts';

const createGroup = (manager: TestManager) =>
  sendRequest(manager, 'POST', '/v1/groups', { display_name: `Crash ${randomUUID()}` });

const EXISTS = 'EXISTS (SELECT FROM budgets WHERE scope = $1 AND subject_id = $2 AND period = $3 AND limit_usd = $4)';

/**
 * Writes of budgets and prices. Writes of budgets hold the exclusive lock of budgets, so that no
 * two of them can be stopped at the same time.
 */
export const budgetsOperations: CrashOperation[] = [
  {
    name: 'set budgets',
    lock: 'budgets',
    isExclusive: true,
    prepare: async (manager) => {
      const [{ id }, old, fresh] = [await createGroup(manager), randomUUID(), randomUUID()];
      await sendRequest(manager, 'PUT', `/v1/budgets/users/${old}`, { limit_usd: '1', period: 'day' });
      await sendRequest(manager, 'PUT', `/v1/budgets/groups/${id}`, { limit_usd: '1', period: 'day', precedence: 3 });
      const budgets = [
        { scope: 'group', subject_id: id, limit_usd: '2', period: 'day', precedence: 7 },
        { scope: 'user', subject_id: fresh, limit_usd: '3', period: 'month' },
      ];
      return {
        request: adminRequest(manager, 'PUT', '/v1/budgets', { budgets }),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM budgets WHERE subject_id = $1 AND limit_usd = 2) AS raised,
             EXISTS (SELECT FROM budgets WHERE subject_id = $2) AS added,
             NOT EXISTS (SELECT FROM budgets WHERE subject_id = $3) AS deleted,
             EXISTS (SELECT FROM group_precedences WHERE subject_id = $1 AND precedence = 7) AS reordered`,
            [id, fresh, old],
          ),
      };
    },
  },
  {
    name: 'put user budget',
    lock: 'budgets',
    isExclusive: true,
    prepare: async (manager) => {
      const id = randomUUID();
      const state = await fetch(`${manager.baseUrl}/v1/budgets`, {
        headers: { authorization: `Bearer ${manager.tokens.admin}` },
      });
      await state.body?.cancel();
      return {
        request: {
          ...adminRequest(manager, 'PUT', `/v1/budgets/users/${id}`, { limit_usd: '4', period: 'year' }),
          headers: { 'if-match': state.headers.get('etag') ?? '' },
        },
        effects: () => readFlags(manager, `${EXISTS} AS created`, ['user', id, 'year', '4']),
      };
    },
  },
  {
    name: 'delete user budget',
    lock: 'budgets',
    prepare: async (manager) => {
      const id = randomUUID();
      for (const period of ['day', 'month'])
        await sendRequest(manager, 'PUT', `/v1/budgets/users/${id}`, { limit_usd: '4', period });
      return {
        request: adminRequest(manager, 'DELETE', `/v1/budgets/users/${id}`),
        effects: () =>
          readFlags(
            manager,
            `NOT EXISTS (SELECT FROM budgets WHERE subject_id = $1 AND period = 'day') AS day, NOT EXISTS (SELECT FROM budgets WHERE subject_id = $1 AND period = 'month') AS month`,
            [id],
          ),
      };
    },
  },
  {
    name: 'put group budget',
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      return {
        request: adminRequest(manager, 'PUT', `/v1/budgets/groups/${id}`, {
          limit_usd: '4',
          period: 'year',
          precedence: 5,
        }),
        effects: () =>
          readFlags(
            manager,
            `${EXISTS} AS created, EXISTS (SELECT FROM group_precedences WHERE subject_id = $2 AND precedence = 5) AS ordered`,
            ['group', id, 'year', '4'],
          ),
      };
    },
  },
  {
    name: 'delete group budget',
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      await sendRequest(manager, 'PUT', `/v1/budgets/groups/${id}`, { limit_usd: '4', period: 'year', precedence: 5 });
      return {
        request: adminRequest(manager, 'DELETE', `/v1/budgets/groups/${id}`),
        effects: () =>
          readFlags(
            manager,
            'NOT EXISTS (SELECT FROM budgets WHERE subject_id = $1) AS deleted, NOT EXISTS (SELECT FROM group_precedences WHERE subject_id = $1) AS unordered',
            [id],
          ),
      };
    },
  },
  {
    name: 'put default user budget',
    lock: 'budgets',
    isExclusive: true,
    prepare: (manager) => {
      const limit = `0.${String(Math.floor(Math.random() * 1e9)).padStart(9, '1')}`;
      return Promise.resolve({
        request: adminRequest(manager, 'PUT', '/v1/budgets/default', { limit_usd: limit, period: 'day' }),
        effects: () =>
          readFlags(manager, 'EXISTS (SELECT FROM default_user_budget WHERE limit_usd = $1) AS set', [limit]),
      });
    },
  },
  {
    name: 'delete default user budget',
    lock: 'budgets',
    isExclusive: true,
    prepare: async (manager) => {
      await sendRequest(manager, 'PUT', '/v1/budgets/default', { limit_usd: '5', period: 'day' });
      return {
        request: adminRequest(manager, 'DELETE', '/v1/budgets/default'),
        effects: () => readFlags(manager, 'NOT EXISTS (SELECT FROM default_user_budget) AS deleted', []),
      };
    },
  },
  ...pricingOperations,
];
