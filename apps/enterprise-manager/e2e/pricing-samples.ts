import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';
import { openai, pricingOf } from './pricing-scene.ts';

/** A well-formed call of every operation about the pricing catalog; none leaves a staged version behind, which would refuse the others. */
export function pricingSamplesOf(running: () => TestManager): Record<string, Sample> {
  const priced = async () => {
    const pricing = pricingOf(running());
    const path = { provider: 'openai', model: `org/sample-${randomUUID()}` };
    await pricing.putEntry(path.provider, path.model, openai());
    return { path, headers: { 'if-match': await pricing.tag() } };
  };
  return {
    'GET /v1/budgets/pricing': () => ({}),
    'PUT /v1/budgets/pricing': async () => {
      const pricing = pricingOf(running());
      // What other operations go by stays priced.
      const { provider_aliases, spec } = await pricing.catalog();
      return {
        headers: { 'if-match': await pricing.tag() },
        body: {
          provider_aliases: { ...provider_aliases, sample: 'openai' },
          spec: {
            entries: [
              {
                provider: 'openai',
                model: `org/sample-${randomUUID()}`,
                openai: {
                  inputUsdPerMillion: '1.25',
                  cachedInputUsdPerMillion: '0.125',
                  outputUsdPerMillion: '10',
                  promptSizeTiers: [{ aboveTokens: 272_000, inputUsdPerMillion: '2.5' }],
                },
              },
              ...spec.entries,
            ],
            tools: { openai: { webSearchUsdPerThousand: '10' } },
          },
        },
      };
    },
    'GET /v1/budgets/pricing/versions': () => ({}),
    'GET /v1/budgets/pricing/catalogs/{id}': async () => {
      const [newest] = await pricingOf(running()).versions();
      return { path: { id: newest?.id ?? '' } };
    },
    'DELETE /v1/budgets/pricing/versions/{effectiveFrom}': () => ({ path: { effectiveFrom: '2999-01-01T00:00:00Z' } }),
    'GET /v1/budgets/pricing/entries/{provider}/{model}': async () => ({ path: (await priced()).path }),
    'PUT /v1/budgets/pricing/entries/{provider}/{model}': async () => ({
      ...(await priced()),
      body: { openai: { ...openai().openai, promptSizeTiers: [{ aboveTokens: 200_000, inputUsdPerMillion: '3' }] } },
    }),
    'DELETE /v1/budgets/pricing/entries/{provider}/{model}': priced,
  };
}
