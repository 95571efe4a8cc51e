import type { Sample } from '@gatehouse/testing/contract-runner';
import {
  type AdmissionResponse,
  admission,
  lease,
  type LeaseResponse,
  makePrices,
  setBudget,
} from './admission-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** Valid calls of the operations on admissions and leases. @param running returns the service */
export function createAdmissionSamples(running: () => TestManager): Record<string, Sample> {
  const getAlice = () => ({ issuer: running().issuer.issuer, subject: 'alice' });
  const getGatewayToken = () => running().tokens.gateway;
  let prices: Promise<unknown> | undefined;
  const preparePrices = async () => {
    await (prices ??= makePrices(running()));
    await setBudget(running(), 'user', 'alice', '1000000');
  };
  return {
    'POST /webhooks/ping': () => ({ body: {} }),
    'POST /webhooks/budgets/admission': async () => {
      await preparePrices();
      return { body: admission(getAlice()) };
    },
    'POST /gateway/v1/reservations/{reservation_id}/extend': async () => {
      await preparePrices();
      const { body } = await running().client.call<AdmissionResponse>('POST /webhooks/budgets/admission', {
        token: getGatewayToken(),
        body: admission(getAlice()),
      });
      return { path: { reservation_id: body.reservation_id }, body: { seconds: 3_600 } };
    },
    'GET /v1/budgets/denials': () => ({ query: { reason: 'budget_exhausted', limit: 10 } }),
    'POST /gateway/v1/budget-leases': async () => {
      await preparePrices();
      return { body: lease(getAlice(), { ttl_seconds: 3_600 }) };
    },
    'DELETE /gateway/v1/budget-leases/{lease_id}': async () => {
      await preparePrices();
      const { body } = await running().client.call<LeaseResponse>('POST /gateway/v1/budget-leases', {
        token: getGatewayToken(),
        body: lease(getAlice(), { ttl_seconds: 3_600 }),
      });
      return { path: { lease_id: body.lease_id }, body: { unused_usd: '1.5' } };
    },
  };
}
