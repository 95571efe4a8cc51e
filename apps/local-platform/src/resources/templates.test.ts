import { findViolations } from '@gatehouse/ai-resources/validation';
import { BASELINE_CATALOG } from '@gatehouse/money/baseline-catalog';
import { DEFAULT_MAX_OUTPUT_TOKENS, maxOutputTokens } from '@gatehouse/money/model-limits';
import { PriceList } from '@gatehouse/money/price-list';
import { describe, expect, it } from '@jest/globals';
import { DEMO_PRICES } from '../demo-prices.ts';
import { readTemplates } from './templates.ts';

const { gateway, policies, demoModels } = readTemplates('http://127.0.0.1:8190', 'http://127.0.0.1:8185');
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
    const listNames = (url?: string) => readTemplates('', url).policies.map(({ metadata }) => metadata.name);
    expect([listNames(), listNames('http://127.0.0.1:8085')]).toEqual([
      ['administrators'],
      ['administrators', 'everyone'],
    ]);
  });

  it('have a model of the demonstration in each format, with a price', () => {
    const spec = { ...gateway.spec, ...demoModels };
    expect(findViolations('AIGateway', { apiVersion, kind: 'AIGateway', ...gateway, spec })).toEqual([]);
    expect(demoModels?.providers.map(({ endpoint }) => endpoint)).toEqual(Array(3).fill('http://127.0.0.1:8185'));
    const prices = new PriceList({ entries: DEMO_PRICES });
    for (const { kind } of demoModels?.providers ?? [])
      expect(prices.find(kind, demoModels?.routes[0]?.match.model ?? '')).toBeDefined();
    expect(readTemplates('', undefined).demoModels).toBeUndefined();
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
