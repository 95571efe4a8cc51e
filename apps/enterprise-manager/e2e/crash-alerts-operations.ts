import { randomUUID } from 'node:crypto';
import { adminRequest, readFlags, type CrashOperation, sendRequest } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

const ALERTS = '/v1/budgets/alerts';

const body = (more: object = {}) => ({
  name: `Crash ${randomUUID()}`,
  thresholds: [80],
  url: 'https://93.184.216.34/hook',
  enabled: false,
  ...more,
});
const alert = (manager: TestManager) => sendRequest(manager, 'POST', ALERTS, body());

/**
 * Writes of budget alerts. Those of alerts themselves stand still while anything is settled, as
 * those of budgets do.
 */
export const alertsOperations: CrashOperation[] = [
  {
    name: 'create budget alert',
    lock: 'budgets',
    prepare: (manager) => {
      const wanted = body({ enabled: true, scope: 'user', subject_id: randomUUID() });
      return Promise.resolve({
        request: adminRequest(manager, 'POST', ALERTS, wanted),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM budget_alerts WHERE name = $1) AS made,
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
      const { id } = await alert(manager);
      const wanted = body({ thresholds: [90] });
      return {
        request: adminRequest(manager, 'PUT', `${ALERTS}/${id}`, wanted),
        effects: () =>
          readFlags(
            manager,
            `name = $2 AS named, thresholds = '{90}' AS moved, version = 2 AS counted FROM budget_alerts WHERE id = $1`,
            [id, wanted.name],
          ),
      };
    },
  },
  {
    name: 'delete budget alert',
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await alert(manager);
      await sendRequest(manager, 'POST', `${ALERTS}/${id}/test`);
      return {
        request: adminRequest(manager, 'DELETE', `${ALERTS}/${id}`),
        effects: () =>
          readFlags(
            manager,
            `NOT EXISTS (SELECT FROM budget_alerts WHERE id = $1) AS gone,
             NOT EXISTS (SELECT FROM budget_alert_secrets WHERE alert_id = $1) AS forgotten,
             NOT EXISTS (SELECT FROM budget_alert_deliveries WHERE alert_id = $1) AS unsent`,
            [id],
          ),
      };
    },
  },
  {
    name: 'rotate secret of budget alert',
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await alert(manager);
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
    // To make the alert takes the lock of budgets, which a write that stands still may hold.
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await alert(manager);
      return {
        request: adminRequest(manager, 'POST', `${ALERTS}/${id}/test`),
        effects: () =>
          readFlags(manager, 'EXISTS (SELECT FROM budget_alert_deliveries WHERE alert_id = $1) AS asked', [id]),
      };
    },
  },
  {
    name: 'resend budget alert delivery',
    // To make the alert takes the lock of budgets, which a write that stands still may hold.
    lock: 'budgets',
    prepare: async (manager) => {
      const { id } = await alert(manager);
      const delivery = await sendRequest(manager, 'POST', `${ALERTS}/${id}/test`);
      await manager.sql(
        `UPDATE budget_alert_deliveries SET state = 'failed', next_attempt_at = NULL, lease_id = NULL, tries = 10 WHERE id = $1`,
        [delivery.id],
      );
      return {
        request: adminRequest(manager, 'POST', `${ALERTS}/${id}/deliveries/${delivery.id}/resend`),
        // It may be on its way by now: what tells is that the attempts are counted anew.
        effects: () =>
          readFlags(manager, 'tries < 10 AS renewed FROM budget_alert_deliveries WHERE id = $1', [delivery.id]),
      };
    },
  },
];
