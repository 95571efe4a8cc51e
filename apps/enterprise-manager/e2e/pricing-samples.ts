import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';
import { openai, createPricingClient } from './pricing-scene.ts';

/** A valid request for each operation on the pricing catalog. */
export function createPricingSamples(running: () => TestManager): Record<string, Sample> {
  /** Deletes a version that an earlier request staged: the next write would be 409. */
  const clearStaged = async () => {
    const pricing = createPricingClient(running());
    const [newest] = await pricing.versions();
    if (newest?.state === 'staged') await pricing.unstage(newest.effective_from);
    return pricing;
  };
  const createEntry = async () => {
    const pricing = await clearStaged();
    const path = { provider: 'openai', model: `org/sample-${randomUUID()}` };
    await pricing.putEntry(path.provider, path.model, openai());
    return { path, headers: { 'if-match': await pricing.tag() } };
  };
  return {
    'GET /v1/budgets/pricing': () => ({}),
    'PUT /v1/budgets/pricing': async () => {
      const pricing = await clearStaged();
      // Other samples need the price of this model.
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
      const [newest] = await createPricingClient(running()).versions();
      return { path: { id: newest?.id ?? '' } };
    },
    'GET /gateway/v1/pricing-catalogs/{pricing_catalog_id}': async () => {
      const [newest] = await createPricingClient(running()).versions();
      return { path: { pricing_catalog_id: newest?.id ?? '' } };
    },
    'DELETE /v1/budgets/pricing/versions/{effectiveFrom}': async () => {
      const pricing = await clearStaged();
      const effectiveFrom = '2999-01-01T00:00:00.000Z';
      await pricing.put({ ...(await pricing.catalog()), effective_from: effectiveFrom });
      return { path: { effectiveFrom } };
    },
    'GET /v1/budgets/pricing/entries/{provider}/{model}': async () => ({ path: (await createEntry()).path }),
    'PUT /v1/budgets/pricing/entries/{provider}/{model}': async () => ({
      ...(await createEntry()),
      body: { openai: { ...openai().openai, promptSizeTiers: [{ aboveTokens: 200_000, inputUsdPerMillion: '3' }] } },
    }),
    'DELETE /v1/budgets/pricing/entries/{provider}/{model}': createEntry,
  };
}
