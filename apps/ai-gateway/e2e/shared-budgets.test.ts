import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readUsd } from '@gatehouse/money/usd';
import { Clock } from '@gatehouse/service-kit/clock';
import { FeedLease } from '@gatehouse/service-kit/feed-lease';
import { createLog } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { eventually } from '@gatehouse/testing/eventually';
import { randomUUID } from 'node:crypto';
import type { AdmissionQuery, AdmittedAttempt } from '../src/admission/admission.ts';
import { AdmissionMetrics } from '../src/admission/admission-metrics.ts';
import { LeasedAdmission } from '../src/admission/leased-admission.ts';
import { ModelCallError } from '../src/formats/model-call-error.ts';
import { ManagerClient } from '../src/manager/manager-client.ts';
import { CachedKeyDirectory } from '../src/virtual-keys/cached-key-directory.ts';
import { KeyFeed } from '../src/virtual-keys/key-feed.ts';
import { createKeyListener } from '../src/virtual-keys/virtual-keys.module.ts';
import { GATEWAY_ID, type RealManager, startRealManager } from './support/real-manager.ts';

/** 1,000 tokens of input and 900 of output cost 0.01025 USD: a dollar pays 97 attempts. */
const SIZE = { promptTokens: 1_000, maxOutputTokens: 900 };
const USAGE = { prompt_tokens: 1_000, completion_tokens: 900 };
const ATTEMPTS_FOR_A_DOLLAR = 97;

const log = createLog({ name: 'test', level: 'silent', environment: 'test' });

interface Outcome {
  readonly query: AdmissionQuery;
  readonly attempt?: AdmittedAttempt;
  readonly error?: unknown;
}

describe('gateways with one budget at a real enterprise manager', () => {
  let manager: RealManager;
  let client: ManagerClient;
  const gateways: LeasedAdmission[] = [];

  beforeAll(async () => {
    manager = await startRealManager();
    client = new ManagerClient(manager.connection, GATEWAY_ID);
  }, 60_000);
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
  });
  afterAll(() => manager.close());

  const startGateway = ({ idleMs = 1_000 } = {}) => {
    const gateway = new LeasedAdmission({
      budgets: client,
      settings: {
        minUsd: readUsd('0.05'),
        maxUsd: readUsd('20'),
        lifetimeMs: 600_000,
        idleMs,
        awayMs: 60_000,
      },
      // A busy machine needs seconds for the burst.
      readRules: () => ({ timeoutMs: 30_000, failureMode: 'Closed' }),
      clock: new Clock(),
      log,
      metrics: new AdmissionMetrics(new Metrics()),
    });
    gateways.push(gateway);
    return gateway;
  };

  const createQuery = (subject: string): AdmissionQuery => {
    const owner = { issuer: manager.issuer.issuer, subject };
    return {
      interactionId: randomUUID(),
      attempt: 1,
      principal: { id: `user:${subject}`, kind: 'person', wire: owner, owner, claims: {}, keyVersion: 0 },
      provider: 'openai',
      route: 'chat',
      requestedModel: 'gpt-5',
      model: 'gpt-5',
      estimate: SIZE,
    };
  };

  const admit = async (gateway: LeasedAdmission, subject: string): Promise<Outcome> => {
    const query = createQuery(subject);
    try {
      return { query, attempt: await gateway.admit(query, new AbortController().signal) };
    } catch (error) {
      return { query, error };
    }
  };

  /** Reports that attempts have used what was estimated. */
  const settle = async (outcomes: readonly Outcome[]): Promise<void> => {
    const admitted = outcomes.filter(({ attempt }) => attempt !== undefined);
    if (admitted.length === 0) return;
    const reports = admitted.map(({ query, attempt }) => ({
      interaction_id: query.interactionId,
      attempt: query.attempt,
      reservation_id: attempt?.reservationId,
      event_time: attempt?.admittedAt,
      gateway_id: GATEWAY_ID,
      principal: query.principal.wire,
      provider: query.provider,
      route: query.route,
      requested_model: query.requestedModel,
      model: query.model,
      outcome: 'delivered',
      upstream_status: 200,
      duration_ms: 1,
      raw_usage: USAGE,
    }));
    const receipts = await client.deliverUsage(JSON.stringify(reports), AbortSignal.timeout(30_000));
    expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set(['charged']));
    for (const { attempt } of admitted) attempt?.finish(USAGE);
  };

  const setBudget = (subject: string, limit_usd: string) =>
    manager.call('admin', 'PUT', `/v1/budgets/users/${subject}`, { limit_usd, period: 'month' });
  const countAdmitted = (outcomes: readonly Outcome[]) =>
    outcomes.filter(({ attempt }) => attempt !== undefined).length;
  const listFailures = (outcomes: readonly Outcome[]) => [
    ...new Set(outcomes.flatMap(({ error }) => (error === undefined ? [] : [(error as ModelCallError).failure]))),
  ];

  it('admit 1,000 concurrent attempts up to the limit, and all of it in the end', async () => {
    await setBudget('alice', '1');
    const four = Array.from({ length: 4 }, startGateway);
    const first = await Promise.all(Array.from({ length: 1_000 }, (_, at) => admit(four[at % 4]!, 'alice')));
    expect(listFailures(first)).toEqual(['budget_exceeded']);
    expect(countAdmitted(first)).toBeLessThanOrEqual(ATTEMPTS_FOR_A_DOLLAR);
    await settle(first);
    let total = countAdmitted(first);
    await eventually(
      async () => {
        const more = await Promise.all(four.map((gateway) => admit(gateway, 'alice')));
        await settle(more);
        total += countAdmitted(more);
        four.forEach((gateway) => gateway.sweep());
        return total >= ATTEMPTS_FOR_A_DOLLAR;
      },
      'the whole budget is used',
      60_000,
    );
    expect(total).toBe(ATTEMPTS_FOR_A_DOLLAR);
    expect(listFailures([await admit(four[0]!, 'alice')])).toEqual(['budget_exceeded']);
  }, 120_000);

  it('works at once after a raised budget', async () => {
    await setBudget('bob', '0.001');
    const gateway = startGateway();
    expect(listFailures([await admit(gateway, 'bob')])).toEqual(['budget_exceeded']);
    await setBudget('bob', '10');
    await eventually(async () => countAdmitted([await admit(gateway, 'bob')]) === 1, 'bob is admitted');
  }, 60_000);

  it('returns the lease of a revoked key', async () => {
    await setBudget('bob', '10');
    const gateway = startGateway();
    const now = () => performance.now();
    const feed = new KeyFeed(client, new FeedLease(60, now), log, now);
    const directory = new CachedKeyDirectory(client, feed, { now, wallNow: Date.now });
    feed.start(createKeyListener(directory, gateway));
    try {
      const { key, secret } = await manager.call<{ key: { id: string }; secret: string }>('bob', 'POST', '/v1/keys', {
        name: `key-${randomUUID()}`,
      });
      const principal = await directory.resolve(secret);
      const query = { ...createQuery('bob'), principal };
      const admitNow = () => {
        const result = gateway.admit({ ...query, interactionId: randomUUID() }, new AbortController().signal);
        if (!(result instanceof Promise)) return result;
        return result.then(() => undefined).catch((error: unknown) => error as ModelCallError);
      };
      await eventually(async () => {
        const result = admitNow();
        if (result instanceof Promise) return (await result, false);
        result.finish(undefined);
        return true;
      }, 'the key has a lease');
      await manager.call('bob', 'DELETE', `/v1/keys/${key.id}`);
      const error = await eventually(async () => {
        const result = admitNow();
        return result instanceof Promise ? await result : false;
      }, 'the lease is gone');
      expect(error).toMatchObject({ failure: 'denied', reason: 'key_inactive' });
      await expect((async () => directory.resolve(secret))()).rejects.toMatchObject({ failure: 'unauthenticated' });
    } finally {
      await feed.stop();
    }
  }, 60_000);

  it('lives on leases while the enterprise manager is killed, and recovers', async () => {
    await setBudget('bob', '10');
    // The lease is not idle before the process has ended.
    const gateway = startGateway({ idleMs: 60_000 });
    const lease = await eventually(async () => {
      const { attempt } = await admit(gateway, 'bob');
      return attempt !== undefined && !isSingle(attempt) && attempt;
    }, 'bob has a lease');
    await manager.kill();
    const attempts = Array.from({ length: 5 }, () => gateway.admit(createQuery('bob'), new AbortController().signal));
    expect(attempts.map((attempt) => !(attempt instanceof Promise) && attempt.reservationId)).toEqual(
      attempts.map(() => lease.reservationId),
    );
    expect(listFailures([await admit(gateway, 'alice')])).toEqual(['unavailable']);
    await manager.restart();
    await eventually(async () => {
      const [failure] = listFailures([await admit(gateway, 'alice')]);
      return failure === undefined || failure === 'budget_exceeded';
    }, 'the enterprise manager decides again');
    for (const attempt of attempts) if (!(attempt instanceof Promise)) attempt.finish(undefined);
  }, 120_000);
});

/** Reservations of single admissions have UUIDs of version 8. */
const isSingle = ({ reservationId }: AdmittedAttempt): boolean => reservationId?.at(14) === '8';
