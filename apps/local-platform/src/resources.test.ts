import type { AIGateway, ResourceKind } from '@gatehouse/ai-resources/resource';
import { findViolations } from '@gatehouse/ai-resources/validation';
import { BASELINE_CATALOG } from '@gatehouse/money/baseline-catalog';
import { DEFAULT_MAX_OUTPUT_TOKENS, maxOutputTokens } from '@gatehouse/money/model-limits';
import { PriceList } from '@gatehouse/money/price-list';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { homePaths, type HomePaths, prepareHome } from './home.ts';
import { prepareResources } from './resources.ts';

const ISSUER = 'http://127.0.0.1:8190';

let paths: HomePaths;
beforeEach(() => {
  paths = homePaths(mkdtempSync(join(tmpdir(), 'gatehouse-resources-')));
  prepareHome(paths, false);
});
afterEach(() => rmSync(paths.home, { recursive: true, force: true }));

const prepare = (issuer = ISSUER, demo = false) => prepareResources(paths, { issuer, demo });
const files = (): string[] => readdirSync(paths.resources).sort();
const file = (name: string): string => join(paths.resources, name);
const read = (name: string): string => readFileSync(file(name), 'utf8');

describe('prepareResources', () => {
  it('creates the gateway of the platform and the policy of administrators', async () => {
    await prepare();
    expect(files()).toEqual(['aigateway-local.yaml', 'aipolicy-administrators.yaml']);
    expect(read('aigateway-local.yaml')).toContain(`issuer: ${ISSUER}\n`);
    expect(read('aigateway-local.yaml')).not.toContain(':8090');
  });

  it('creates the policy of a demonstration only for a demonstration', async () => {
    await prepare(ISSUER, true);
    expect(files()).toContain('aipolicy-everyone.yaml');
  });

  it('creates resources that are valid', async () => {
    await prepare(ISSUER, true);
    for (const name of files()) {
      const resource = parse(read(name)) as { kind: ResourceKind };
      expect([name, findViolations(resource.kind, resource)]).toEqual([name, []]);
    }
  });

  it('offers only models with a price and a known limit of output tokens', async () => {
    await prepare();
    const { spec } = parse(read('aigateway-local.yaml')) as AIGateway;
    const prices = new PriceList(BASELINE_CATALOG.spec, BASELINE_CATALOG.provider_aliases);
    const unusable = (spec.routes ?? []).filter(({ match: { model }, backends }) => {
      const provider = backends[0]?.provider ?? '';
      return (
        prices.find(provider, model) === undefined || maxOutputTokens(provider, model) === DEFAULT_MAX_OUTPUT_TOKENS
      );
    });
    expect(unusable).toEqual([]);
    expect(spec.routes?.length).toBeGreaterThan(3);
  });

  it('keeps files that the user changed, and does not create deleted ones again', async () => {
    await prepare();
    const changed = read('aipolicy-administrators.yaml').replace('All models', 'Every model');
    writeFileSync(file('aipolicy-administrators.yaml'), changed);
    rmSync(file('aigateway-local.yaml'));
    await prepare();
    expect(files()).toEqual(['aipolicy-administrators.yaml']);
    expect(read('aipolicy-administrators.yaml')).toBe(changed);
  });

  it('follows the ports of the platform, and keeps the comments of the file', async () => {
    await prepare();
    writeFileSync(file('aigateway-local.yaml'), `# Our gateway\n${read('aigateway-local.yaml')}`);
    await prepare('http://127.0.0.1:9190');
    const text = read('aigateway-local.yaml');
    expect(text).toMatch(/^# Our gateway\n/);
    expect(text).toContain('issuer: http://127.0.0.1:9190\n');
    expect(text).toContain('jwksUri: http://127.0.0.1:9190/jwks\n');
  });

  it('keeps an issuer that is not of this machine, and a file with errors', async () => {
    await prepare();
    for (const text of [read('aigateway-local.yaml').replaceAll(ISSUER, 'https://login.example.test'), 'spec: [']) {
      writeFileSync(file('aigateway-local.yaml'), text);
      await prepare('http://127.0.0.1:9190');
      expect(read('aigateway-local.yaml')).toBe(text);
    }
  });
});
