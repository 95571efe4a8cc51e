import { randomUUID } from 'node:crypto';
import {
  type AdmissionResponse,
  admission,
  lease,
  type LeaseResponse,
  makeUsers,
  makePrices,
} from './admission-scene.ts';
import { readFlags, type CrashOperation } from './crash-scene.ts';
import { usageOperations } from './crash-usage-operations.ts';
import type { TestManager } from './enterprise-manager.ts';
import type { ReplicaCall } from './replica.ts';

const priced = new WeakMap<TestManager, Promise<unknown>>();

/** Creates a user with a budget of 10 USD a month, and the prices. */
async function payer(manager: TestManager) {
  if (!priced.has(manager)) priced.set(manager, makePrices(manager));
  await priced.get(manager);
  const [subject = ''] = await makeUsers(manager, 1);
  // The new user has no admissions yet, so this insert needs no lock.
  await manager.sql(`INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ($1, 'user', 'month', 10)`, [
    subject,
  ]);
  return { subject, principal: { issuer: manager.issuer.issuer, subject } };
}

const gateway = (manager: TestManager, method: string, path: string, body: unknown): ReplicaCall => ({
  ...{ method, path, body },
  token: manager.tokens.gateway,
});

/** An SQL condition: all three budget cells of the user reserve the amount. */
const RESERVED = (amount: string) =>
  `(SELECT count(*) = 3 FROM budget_cells WHERE subject_id = $1 AND reserved_usd = ${amount})`;

const sent = async <Body>(manager: TestManager, operation: string, body: unknown): Promise<Body> => {
  const response = await manager.client.call<Body>(operation, { token: manager.tokens.gateway, body });
  if (response.status !== 200) throw new Error(`${operation} answers ${JSON.stringify(response.body)}`);
  return response.body;
};

const admissions: CrashOperation[] = [
  {
    name: 'admit request',
    lock: 'batches of admissions',
    isExclusive: true,
    shares: ['budgets'],
    unaudited: true,
    prepare: async (manager) => {
      const { subject, principal } = await payer(manager);
      const interaction_id = randomUUID();
      return {
        request: gateway(manager, 'POST', '/webhooks/budgets/admission', admission(principal, { interaction_id })),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM reservations WHERE subject_id = $1 AND interaction_id = $2 AND held_usd = 1) AS made, ${RESERVED('1')} AS reserved`,
            [subject, interaction_id],
          ),
      };
    },
  },
  {
    name: 'extend reservation',
    shares: ['budgets'],
    unaudited: true,
    prepare: async (manager) => {
      const { principal } = await payer(manager);
      const body = admission(principal);
      const { reservation_id } = await sent<AdmissionResponse>(manager, 'POST /webhooks/budgets/admission', body);
      return {
        request: gateway(manager, 'POST', `/gateway/v1/reservations/${reservation_id}/extend`, { seconds: 7_200 }),
        effects: () =>
          readFlags(manager, `expires_at > now() + interval '1 hour' AS extended FROM reservations WHERE id = $1`, [
            reservation_id,
          ]),
      };
    },
  },
  {
    name: 'lease budget',
    lock: 'batches of admissions',
    isExclusive: true,
    shares: ['budgets'],
    unaudited: true,
    prepare: async (manager) => {
      const { subject, principal } = await payer(manager);
      return {
        request: gateway(manager, 'POST', '/gateway/v1/budget-leases', lease(principal)),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM reservations WHERE subject_id = $1 AND kind = 'lease' AND held_usd = 5) AS made, ${RESERVED('5')} AS reserved`,
            [subject],
          ),
      };
    },
  },
  {
    name: 'return lease',
    shares: ['budgets'],
    unaudited: true,
    prepare: async (manager) => {
      const { subject, principal } = await payer(manager);
      const { lease_id } = await sent<LeaseResponse>(manager, 'POST /gateway/v1/budget-leases', lease(principal));
      // A slow machine must not let the lease expire before the test reads its state.
      await manager.sql(`UPDATE reservations SET expires_at = expires_at + interval '1 hour' WHERE id = $1`, [
        lease_id,
      ]);
      return {
        request: gateway(manager, 'DELETE', `/gateway/v1/budget-leases/${lease_id}`, { unused_usd: '3' }),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM reservations WHERE id = $2 AND held_usd = 2 AND returned_at IS NOT NULL) AS returned, ${RESERVED('2')} AS reserved`,
            [subject, lease_id],
          ),
      };
    },
  },
];

/** The operations on admissions, leases, usage and recharges. */
export const moneyOperations: CrashOperation[] = [...admissions, ...usageOperations];
