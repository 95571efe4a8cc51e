import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomInt, randomUUID } from 'node:crypto';
import { makeGroup } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** Returns a new limit, because an unchanged one has no audit event. */
const makeNewLimit = (): string => `${randomInt(1, 1_000_000)}.${randomInt(1, 100_000_000)}5`;

/** Valid calls of the operations on budgets. @param running returns the service at each call */
export function createBudgetSamples(running: () => TestManager): Record<string, Sample> {
  const createBudget = async (operation: string, id: string) => {
    const response = await running().client.call(operation, {
      token: running().tokens.admin,
      path: { id },
      body: { limit_usd: '25', period: 'month' },
    });
    if (response.status !== 204) throw new Error(`the budget was not set: ${JSON.stringify(response.body)}`);
    return { path: { id } };
  };
  return {
    'GET /v1/budgets': () => ({}),
    'PUT /v1/budgets': async () => ({
      body: {
        budgets: [
          { scope: 'group', subject_id: await makeGroup(running()), limit_usd: '500', period: 'month', precedence: 10 },
          { scope: 'user', subject_id: randomUUID(), limit_usd: '12.50', period: 'day' },
        ],
      },
    }),
    'GET /v1/budgets/default': async () => {
      await running().client.call('PUT /v1/budgets/default', {
        token: running().tokens.admin,
        body: { limit_usd: '20', period: 'month' },
      });
      return {};
    },
    'PUT /v1/budgets/default': () => ({ body: { limit_usd: makeNewLimit(), period: 'month' } }),
    'DELETE /v1/budgets/default': async () => {
      await running().client.call('PUT /v1/budgets/default', {
        token: running().tokens.admin,
        body: { limit_usd: makeNewLimit(), period: 'month' },
      });
      return {};
    },
    'PUT /v1/budgets/users/{id}': () => ({
      path: { id: `corp/${randomUUID()}` },
      body: { limit_usd: '12.50', period: 'day' },
    }),
    'DELETE /v1/budgets/users/{id}': () => createBudget('PUT /v1/budgets/users/{id}', randomUUID()),
    'PUT /v1/budgets/groups/{id}': async () => ({
      path: { id: await makeGroup(running()) },
      body: { limit_usd: '500', period: 'month', precedence: 10 },
    }),
    'DELETE /v1/budgets/groups/{id}': async () =>
      createBudget('PUT /v1/budgets/groups/{id}', await makeGroup(running())),
    'GET /v1/budgets/summary': () => ({ query: { scope: 'user', subject: 'a', limit: 10 } }),
    'GET /v1/me/budgets/summary': () => ({}),
  };
}
