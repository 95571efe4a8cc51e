import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';
import { makeAlert, type MadeDelivery } from './alerts-scene.ts';

const BODY = {
  name: 'A sample',
  scope: 'user',
  subject_id: 'alice',
  periods: ['month'],
  thresholds: [50, 100],
  url: 'https://93.184.216.34/hook',
  allow_private_ips: false,
  enabled: false,
};

/**
 * Valid calls of the operations on budget alerts. @param running returns the service at each call
 */
export function createAlertSamples(running: () => TestManager): Record<string, Sample> {
  // Fuzzing creates an alert with each request and would reach the limit of alerts.
  const deleteOldAlerts = () =>
    running()
      .sql(`WITH deleted AS (DELETE FROM budget_alerts WHERE name = 'A sample' OR created_at < now() - interval '1 minute' RETURNING id)
      DELETE FROM budget_alert_deliveries WHERE alert_id IN (SELECT id FROM deleted)`);
  const createSample = async () => ({
    path: { id: (await makeAlert(running(), { ...BODY, name: 'For a sample' })).id },
  });
  /** Creates a failed delivery, which the worker does not send. */
  const createDelivery = async () => {
    const { path } = await createSample();
    const { client, tokens } = running();
    const { body } = await client.call<MadeDelivery>('POST /v1/budgets/alerts/{id}/test', {
      token: tokens.admin,
      path,
    });
    await running().sql(
      `UPDATE budget_alert_deliveries SET state = 'failed', next_attempt_at = NULL, lease_id = NULL WHERE id = $1`,
      [body.id],
    );
    return { path: { ...path, delivery_id: body.id } };
  };
  return {
    'GET /v1/budgets/alerts': () => ({}),
    'POST /v1/budgets/alerts': async () => {
      await deleteOldAlerts();
      return { body: BODY };
    },
    'GET /v1/budgets/alerts/{id}': createSample,
    'PUT /v1/budgets/alerts/{id}': async () => ({ ...(await createSample()), body: BODY }),
    'DELETE /v1/budgets/alerts/{id}': createSample,
    'POST /v1/budgets/alerts/{id}/rotate-secret': createSample,
    'POST /v1/budgets/alerts/{id}/test': createSample,
    'GET /v1/budgets/alerts/{id}/deliveries': createSample,
    'GET /v1/budgets/alerts/{id}/deliveries/{delivery_id}': createDelivery,
    'POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend': createDelivery,
  };
}
