import { describe, expect, it } from '@jest/globals';
import { BASELINE_CATALOG } from '@gatehouse/money/baseline-catalog';
import { DEFAULT_MAX_OUTPUT_TOKENS, maxOutputTokens } from '@gatehouse/money/model-limits';
import { PriceList } from '@gatehouse/money/price-list';
import { readFileSync } from 'node:fs';
import { GatewayFileError, parseGateway, readGatewayFile } from './gateway-file.ts';
import { listModels } from './model-list.ts';

const yaml = (routes: string): string =>
  `apiVersion: gatehouse.dev/v1alpha1\nkind: AIGateway\nmetadata: { name: x }\nspec:\n  routes:\n${routes}\n`;
const ROUTE = '    - { match: { model: gpt-5 }, provider: openai }';

describe('parseGateway', () => {
  it('accepts the file of the release', () => {
    const file = new URL('../../gateway.yaml', import.meta.url);
    expect(parseGateway(readFileSync(file, 'utf8'), 'gateway.yaml').spec.routes.length).toBeGreaterThan(3);
  });

  it('finds prices and limits for all models in the file of the release', () => {
    const file = new URL('../../gateway.yaml', import.meta.url);
    const { routes } = parseGateway(readFileSync(file, 'utf8'), 'gateway.yaml').spec;
    const prices = new PriceList(BASELINE_CATALOG.spec, BASELINE_CATALOG.provider_aliases);
    const unpriced = routes.filter(({ provider, match }) => prices.find(provider, match.model) === undefined);
    const unlimited = routes.filter(
      ({ provider, match }) => maxOutputTokens(provider, match.model) === DEFAULT_MAX_OUTPUT_TOKENS,
    );
    expect({ unpriced, unlimited }).toEqual({ unpriced: [], unlimited: [] });
  });

  it.each([
    ['nothing', '', 'the document'],
    ['a list', '- 1', 'the document'],
    ['another kind', yaml(ROUTE).replace('AIGateway', 'AIPolicy'), 'kind:'],
    ['no routes', yaml('').replace('routes:\n', 'routes: []\n'), 'spec.routes:'],
    ['a misspelled field', yaml(ROUTE).replace('match', 'mach'), 'spec.routes.0'],
    ['an unknown provider', yaml(ROUTE).replace('openai', 'acme'), 'spec.routes.0.provider:'],
    ['a model with a wildcard', yaml(ROUTE).replace('gpt-5', '"gpt-*"'), 'spec.routes.0.match.model:'],
    ['a model with a line break', yaml(ROUTE).replace('gpt-5', '"a\\nb"'), 'spec.routes.0.match.model:'],
    ['a field twice', yaml('    - { match: { model: a }, provider: openai, provider: google }'), 'unique'],
    ['broken YAML', 'a: [', 'cannot be used'],
    ['an alias bomb', bomb(), 'alias'],
  ])('refuses %s, and names the path', (_, text, sentence) => {
    const parse = (): unknown => parseGateway(text, 'my.yaml');
    expect(parse).toThrow(GatewayFileError);
    expect(parse).toThrow('my.yaml');
    expect(parse).toThrow(sentence);
  });

  it('names all problems at once', () => {
    const text = yaml(`${ROUTE.replace('openai', 'acme')}\n${ROUTE.replace('gpt-5', '"*"')}`);
    expect(() => parseGateway(text, 'x')).toThrow(/routes\.0\.provider[\s\S]*routes\.1\.match\.model/);
  });

  it('names a file that does not exist (readGatewayFile)', () => {
    expect(() => readGatewayFile('/nowhere/gateway.yaml')).toThrow('/nowhere/gateway.yaml');
  });
});

describe('listModels', () => {
  it('lists each model once, with the owner of its first route', () => {
    const gateway = parseGateway(
      yaml(
        [
          '    - { match: { model: b }, provider: anthropic, display_name: First }',
          '    - { match: { model: a }, provider: google }',
          '    - { match: { model: b }, provider: openai }',
        ].join('\n'),
      ),
      'x',
    );
    expect(listModels(gateway, new Date(5000))).toEqual({
      object: 'list',
      data: [
        { id: 'a', object: 'model', created: 5, owned_by: 'google' },
        { id: 'b', object: 'model', created: 5, owned_by: 'anthropic', display_name: 'First' },
      ],
    });
  });
});

function bomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]`,
  );
  return ['a0: &a0 [x]', ...levels].join('\n');
}
