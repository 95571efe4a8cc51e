import { randomUUID } from 'node:crypto';
import { adminRequest, readFlags, type CrashOperation, sendRequest } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

const ALERTS = '/v1/budgets/alerts';

const makeBody = (more: object = {}) => ({
  name: `Crash ${randomUUID()}`,
  thresholds: [80],
  url: 'https://93.184.216.34/hook',
  enabled: false,
  ...more,
});
const createAlert = (manager: TestManager) => sendRequest(manager, 'POST', ALERTS, makeBody());

/** Writes of budget alerts. Those of alerts hold the exclusive lock of budgets. */
export const alertsOperations: CrashOperation[] = [
  {
    name: 'create budget alert',
    lock: 'budgets',
    prepare: (manager) => {
      const wanted = makeBody({ enabled: true, scope: 'user', subject_id: randomUUID() });
      return Promise.resolve({
        request: adminRequest(manager, 'POST', ALERTS, wanted),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM budget_alerts WHERE name = $1) AS created,
             EXISTS (SELECT FROM budget_alert_secrets WHERE alert_id = (SELECT id FROM budget_alerts WHERE name = $1)) AS sealed`,
            [wanted.name],
          ),
      });
    },
  },
  {
    name: 'replace budget alert',
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await createAlert(manager);
      const wanted = makeBody({ thresholds: [90] });
      return {
        request: adminRequest(manager, 'PUT', `${ALERTS}/${id}`, wanted),
        effects: () =>
          readFlags(
            manager,
            `name = $2 AS named, thresholds = '{90}' AS changed, version = 2 AS counted FROM budget_alerts WHERE id = $1`,
            [id, wanted.name],
          ),
      };
    },
  },
  {
    name: 'delete budget alert',
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await createAlert(manager);
      await sendRequest(manager, 'POST', `${ALERTS}/${id}/test`);
      return {
        request: adminRequest(manager, 'DELETE', `${ALERTS}/${id}`),
        effects: () =>
          readFlags(
            manager,
            `NOT EXISTS (SELECT FROM budget_alerts WHERE id = $1) AS deleted,
             NOT EXISTS (SELECT FROM budget_alert_secrets WHERE alert_id = $1) AS secrets_deleted,
             NOT EXISTS (SELECT FROM budget_alert_deliveries WHERE alert_id = $1) AS deliveries_deleted`,
            [id],
          ),
      };
    },
  },
  {
    name: 'rotate secret of budget alert',
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await createAlert(manager);
      return {
        request: adminRequest(manager, 'POST', `${ALERTS}/${id}/rotate-secret`),
        effects: () =>
          readFlags(
            manager,
            `(SELECT count(*) = 1 FROM budget_alert_secrets WHERE alert_id = $1 AND valid_until IS NOT NULL) AS retired,
             (SELECT count(*) = 2 FROM budget_alert_secrets WHERE alert_id = $1) AS added,
             (SELECT version = 2 FROM budget_alerts WHERE id = $1) AS counted`,
            [id],
          ),
      };
    },
  },
  {
    name: 'test budget alert',
    // The creation of the alert takes the lock of budgets, which a stopped write can hold.
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await createAlert(manager);
      return {
        request: adminRequest(manager, 'POST', `${ALERTS}/${id}/test`),
        effects: () =>
          readFlags(manager, 'EXISTS (SELECT FROM budget_alert_deliveries WHERE alert_id = $1) AS created', [id]),
      };
    },
  },
  {
    name: 'resend budget alert delivery',
    // The creation of the alert takes the lock of budgets, which a stopped write can hold.
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await createAlert(manager);
      const delivery = await sendRequest(manager, 'POST', `${ALERTS}/${id}/test`);
      await manager.sql(
        `UPDATE budget_alert_deliveries SET state = 'failed', next_attempt_at = NULL, lease_id = NULL, tries = 10 WHERE id = $1`,
        [delivery.id],
      );
      return {
        request: adminRequest(manager, 'POST', `${ALERTS}/${id}/deliveries/${delivery.id}/resend`),
        // The worker may have sent it already; the reset count of attempts shows the resend.
        effects: () =>
          readFlags(manager, 'tries < 10 AS renewed FROM budget_alert_deliveries WHERE id = $1', [delivery.id]),
      };
    },
  },
];
