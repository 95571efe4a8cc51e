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

/** A well-formed call of every operation about budget alerts. */
export function alertsSamplesOf(running: () => TestManager): Record<string, Sample> {
  // The limit of alerts is for people, not for a fuzzer that makes one with each request.
  const room = () =>
    running()
      .sql(`WITH gone AS (DELETE FROM budget_alerts WHERE name = 'A sample' OR created_at < now() - interval '1 minute' RETURNING id)
      DELETE FROM budget_alert_deliveries WHERE alert_id IN (SELECT id FROM gone)`);
  const alert = async () => ({ path: { id: (await makeAlert(running(), { ...BODY, name: 'For a sample' })).id } });
  /** A delivery that nobody is going to send: it has failed. */
  const delivery = async () => {
    const { path } = await alert();
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
      await room();
      return { body: BODY };
    },
    'GET /v1/budgets/alerts/{id}': alert,
    'PUT /v1/budgets/alerts/{id}': async () => ({ ...(await alert()), body: BODY }),
    'DELETE /v1/budgets/alerts/{id}': alert,
    'POST /v1/budgets/alerts/{id}/rotate-secret': alert,
    'POST /v1/budgets/alerts/{id}/test': alert,
    'GET /v1/budgets/alerts/{id}/deliveries': alert,
    'GET /v1/budgets/alerts/{id}/deliveries/{delivery_id}': delivery,
    'POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend': delivery,
  };
}
