import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';

/** A well-formed call of every operation about usage events and charges. */
export function usageSamplesOf(_running: () => TestManager): Record<string, Sample> {
  return {
    'POST /webhooks/budgets/usage': () => ({ body: { events: [] } }),
    'POST /v1/budgets/events/recharge': () => ({
      body: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', provider: 'openai', model: 'none', limit: 10 },
    }),
  };
}
