import { findViolations } from '@gatehouse/ai-resources/validation';
import { BASELINE_CATALOG } from '@gatehouse/money/baseline-catalog';
import { DEFAULT_MAX_OUTPUT_TOKENS, maxOutputTokens } from '@gatehouse/money/model-limits';
import { PriceList } from '@gatehouse/money/price-list';
import { describe, expect, it } from '@jest/globals';
import { readTemplates } from './templates.ts';

const { gateway, policies } = readTemplates('http://127.0.0.1:8190', true);
const apiVersion = 'gatehouse.dev/v1alpha1';

describe('the resources of a new platform', () => {
  it('are valid', () => {
    expect(findViolations('AIGateway', { apiVersion, kind: 'AIGateway', ...gateway })).toEqual([]);
    for (const policy of policies)
      expect(findViolations('AIPolicy', { apiVersion, kind: 'AIPolicy', ...policy })).toEqual([]);
  });

  it('name the issuer of the platform', () => {
    expect(gateway.spec.auth.oidc).toMatchObject({
      issuer: 'http://127.0.0.1:8190',
      jwksUri: 'http://127.0.0.1:8190/jwks',
    });
  });

  it('have the policy of a demonstration only for a demonstration', () => {
    const listNames = (demo: boolean) => readTemplates('', demo).policies.map(({ metadata }) => metadata.name);
    expect([listNames(false), listNames(true)]).toEqual([['administrators'], ['administrators', 'everyone']]);
  });

  it('offer only models with a price and a known limit of output tokens', () => {
    const prices = new PriceList(BASELINE_CATALOG.spec, BASELINE_CATALOG.provider_aliases);
    const routes = gateway.spec.routes ?? [];
    const unusable = routes.filter(({ match: { model }, backends }) => {
      const provider = backends[0]?.provider ?? '';
      return (
        prices.find(provider, model) === undefined || maxOutputTokens(provider, model) === DEFAULT_MAX_OUTPUT_TOKENS
      );
    });
    expect(unusable).toEqual([]);
    expect(routes.length).toBeGreaterThan(3);
  });
});
