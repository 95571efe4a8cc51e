import { readUsd } from '@gatehouse/money/usd';
import { createLog } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import type { AdmissionQuery, AdmittedAttempt } from './admission.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { LeasedAdmission, type WebhookRules } from './leased-admission.ts';
import type { LeaseSettings } from './lease-settings.ts';
import { FakeClock, FakeManager } from './manager.fixture.ts';

const SETTINGS: LeaseSettings = {
  minUsd: readUsd('0.05'),
  maxUsd: readUsd('20'),
  lifetimeMs: 600_000,
  idleMs: 10_000,
  awayMs: 60_000,
};

let interactions = 0;
const started: LeasedAdmission[] = [];

/** Stops the admissions of a test. */
export async function stopAdmissions(): Promise<void> {
  await Promise.all(started.splice(0).map((admission) => admission.stop()));
}

/** Creates a query of an attempt whose estimate is 0.01 USD, unless it is overridden. */
export const createQuery = (overrides: Partial<AdmissionQuery> = {}): AdmissionQuery => ({
  interactionId: `interaction-${(interactions += 1)}`,
  attempt: 1,
  principal: createPrincipal(1),
  provider: 'openai',
  route: 'chat',
  requestedModel: 'gpt',
  model: 'gpt',
  estimate: { promptTokens: 1_000, maxOutputTokens: 900 },
  ...overrides,
});

export const createPrincipal = (keyVersion: number, key = 'k'): AdmissionQuery['principal'] => ({
  id: `key:${key}`,
  kind: 'key',
  wire: { virtual_key_id: key },
  owner: { issuer: 'https://issuer', subject: 'alice' },
  claims: {},
  keyVersion,
});

/** A usage object that costs as much as the estimate of `createQuery`. */
export const FULL_USAGE = { prompt_tokens: 1_000, completion_tokens: 900 };

/** Creates an admission of a gateway, with a manager of its own unless one is given. */
export function createAdmission(
  manager?: FakeManager,
  clock = new FakeClock(),
  rules: WebhookRules = { timeoutMs: 1_000, failureMode: 'Closed' },
) {
  const budgets = manager ?? new FakeManager(clock);
  const log = createLog({ name: 'test', level: 'silent', environment: 'test' });
  const admission = new LeasedAdmission({
    budgets,
    settings: SETTINGS,
    readRules: () => rules,
    clock,
    log,
    metrics: new AdmissionMetrics(new Metrics()),
  });
  started.push(admission);
  const { signal } = new AbortController();
  const admit = async (overrides?: Partial<AdmissionQuery>): Promise<AdmittedAttempt> =>
    admission.admit(createQuery(overrides), signal);
  /** Admits an attempt without waiting. @returns undefined if it is not synchronous */
  const admitNow = (overrides?: Partial<AdmissionQuery>): AdmittedAttempt | undefined => {
    const result = admission.admit(createQuery(overrides), signal);
    if (!(result instanceof Promise)) return result;
    result.catch(() => undefined);
    return undefined;
  };
  return { admission, manager: budgets, clock, admit, admitNow, log: budgets.log };
}
