import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import type { AIGatewaySpec, AIGatewayStatus, Condition } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { findViolations } from '@gatehouse/ai-resources/validation';
import fc from 'fast-check';
import { computeGatewayStatus } from './gateway-status.ts';
import { createGateway } from './resources.fixture.ts';

const NOW = new Date('2026-02-01T08:30:15.999Z');
const LATER = new Date('2026-02-02T00:00:00Z');
const provider = (name: string) => ({ name, kind: 'openai', endpoint: 'https://api.openai.com' }) as const;
const backend = (name: string) => ({ provider: name, weight: 1, priority: 0 });
const route = (...providers: string[]) => ({ match: { model: 'a' }, backends: providers.map(backend) });
const withStatus = (gateway: AIGateway, status: AIGatewayStatus, generation = 1): AIGateway => ({
  ...gateway,
  metadata: { ...gateway.metadata, generation },
  status,
});
const getCondition = (status: AIGatewayStatus, type: string): Condition | undefined =>
  status.conditions?.find((condition) => condition.type === type);
const createWithOidc = (oidc: Partial<AIGatewaySpec['auth']['oidc']>): AIGateway => {
  const { spec } = createGateway();
  return createGateway({ auth: { oidc: { ...spec.auth.oidc, ...oidc } } });
};

describe('computeGatewayStatus', () => {
  it('does not accept a redaction pattern that RE2 refuses', () => {
    const gateway = createGateway({
      guardrails: { redaction: { patterns: ['AKIA[0-9A-Z]{16}', '(?=x)'], responses: false } },
    });
    expect(getCondition(computeGatewayStatus(gateway, NOW), 'Accepted')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('/spec/guardrails/redaction/patterns/1'),
    });
  });

  it('accepts a gateway whose backends name its providers', () => {
    const gateway = createGateway({
      providers: [provider('main'), provider('other')],
      routes: [route('main', 'other')],
      defaultRoute: { backends: [backend('main')] },
    });
    expect(computeGatewayStatus(gateway, NOW)).toEqual({
      observedGeneration: 1,
      conditions: [
        {
          type: 'Accepted',
          status: 'True',
          reason: 'Accepted',
          message: 'The AI gateway can use this resource.',
          lastTransitionTime: '2026-02-01T08:30:15Z',
          observedGeneration: 1,
        },
        {
          type: 'ResolvedRefs',
          status: 'True',
          reason: 'ResolvedRefs',
          message: 'Each backend names a provider of the AI gateway.',
          lastTransitionTime: '2026-02-01T08:30:15Z',
          observedGeneration: 1,
        },
      ],
    });
  });

  it.each([
    ['a port beyond 65535', { issuer: 'https://login.example.com:99999' }, '/spec/auth/oidc/issuer must be a URL'],
    ['an address that is none', { jwksUri: 'https://256.1.1.1/keys' }, '/spec/auth/oidc/jwksUri must be a URL'],
    ['no audience', { audience: '' }, '/spec/auth/oidc/audience'],
  ])('refuses a gateway with %s, names the field, and does not judge its backends', (_, oidc, problem) => {
    const status = computeGatewayStatus(createWithOidc(oidc), NOW);
    expect(getCondition(status, 'Accepted')).toMatchObject({
      status: 'False',
      reason: 'Invalid',
      message: expect.stringContaining(problem),
    });
    expect(getCondition(status, 'ResolvedRefs')).toMatchObject({ status: 'Unknown', reason: 'Invalid' });
  });

  it('refuses a platform that does not serve the format of its provider', () => {
    const platform = { azure: { apiVersion: '2024-10-21' } };
    const provider = { name: 'p', kind: 'anthropic', endpoint: 'https://a.openai.azure.com', platform } as const;
    const status = computeGatewayStatus(
      { ...createGateway(), spec: { ...createGateway().spec, providers: [provider] } },
      NOW,
    );
    expect(getCondition(status, 'Accepted')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('/spec/providers/0/kind must be one of openai on the platform azure'),
    });
  });

  it('examines a gateway that an earlier definition permitted', () => {
    const spec = { ...createGateway().spec, routes: 'none', providers: [{}] } as unknown as AIGatewaySpec;
    const status = computeGatewayStatus({ ...createGateway(), spec }, NOW);
    expect(getCondition(status, 'Accepted')).toMatchObject({ status: 'False', reason: 'Invalid' });
  });

  it.each([
    [['b'], 'b.'],
    [['f', 'e', 'd', 'c', 'b'], 'b, c, d, e, f.'],
    [['g', 'f', 'e', 'd', 'c', 'b', 'h'], 'b, c, d, e, f and 2 more.'],
  ])('names at most five providers that are missing: %j', (names, message) => {
    const status = computeGatewayStatus(
      createGateway({ providers: [provider('main')], routes: [route('main', ...names), route('b')] }),
      NOW,
    );
    expect(getCondition(status, 'ResolvedRefs')).toMatchObject({
      status: 'False',
      reason: 'ProviderNotFound',
      message: `Backends name providers that the AI gateway lacks: ${message}`,
    });
    expect(getCondition(status, 'Accepted')).toMatchObject({ status: 'True' });
  });

  it('examines the backends of the default route', () => {
    const status = computeGatewayStatus(createGateway({ defaultRoute: { backends: [backend('absent')] } }), NOW);
    expect(getCondition(status, 'ResolvedRefs')).toMatchObject({ message: expect.stringContaining('absent') });
  });

  it('resolves exactly the gateways whose backends all name providers, with a status that the CRD accepts', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'constructor');
    const names = fc.array(name, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.uniqueArray(name),
        fc.array(names, { maxLength: 4 }),
        fc.option(names, { nil: undefined }),
        (providers, routes, defaults) => {
          const gateway = createGateway({
            providers: providers.map(provider),
            routes: routes.map((backends) => route(...backends)),
            ...(defaults && { defaultRoute: { backends: defaults.map(backend) } }),
          });
          const status = computeGatewayStatus(gateway, NOW);
          const isResolved = [...routes, defaults ?? []].flat().every((used) => providers.includes(used));
          expect(getCondition(status, 'ResolvedRefs')?.status).toBe(isResolved ? 'True' : 'False');
          expect(findViolations('AIGateway', withStatus(gateway, status))).toEqual([]);
          expect(computeGatewayStatus(withStatus(gateway, status), LATER)).toEqual(status);
        },
      ),
      { numRuns: 100 * effort },
    );
  });

  it('changes the time of a condition with its status only, and keeps the conditions of other programs', () => {
    const other = {
      type: 'Synced',
      status: 'True',
      reason: 'Done',
      message: '',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    } as const;
    const before = withStatus(createGateway({ routes: [route('b')] }), { conditions: [other] });
    const first = withStatus(before, computeGatewayStatus(before, NOW), 2);
    const status = computeGatewayStatus({ ...first, spec: createGateway().spec }, LATER);
    expect(status.observedGeneration).toBe(2);
    expect(getCondition(status, 'Accepted')).toMatchObject({ lastTransitionTime: '2026-02-01T08:30:15Z' });
    expect(getCondition(status, 'ResolvedRefs')).toMatchObject({
      status: 'True',
      lastTransitionTime: '2026-02-02T00:00:00Z',
    });
    expect(status.conditions).toContainEqual(other);
  });
});
