import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** A valid call of every operation on usage events and charges. */
export function createUsageSamples(running: () => TestManager): Record<string, Sample> {
  return {
    'POST /webhooks/budgets/usage': () => ({
      body: {
        events: [
          {
            interaction_id: randomUUID(),
            attempt: 1,
            event_time: new Date().toISOString(),
            gateway_id: 'local-ai',
            principal: { issuer: running().issuer.issuer, subject: 'alice' },
            provider: 'openai',
            route: '/v1/chat/completions',
            requested_model: 'sample',
            model: 'sample',
            outcome: 'delivered',
            upstream_status: 200,
            duration_ms: 12,
            raw_usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
          },
        ],
      },
    }),
    'POST /v1/budgets/events/recharge': () => ({
      body: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', provider: 'openai', model: 'none', limit: 10 },
    }),
  };
}
