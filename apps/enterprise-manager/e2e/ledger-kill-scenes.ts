import { effort } from '@gatehouse/testing/effort';
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';
import { billionths, PRICES, PROVIDER, computePrice, publishPrices, type Tokens } from './ledger-model.ts';
import { type Admitted, formatPayer, type Sender, type Sent } from './ledger-sender.ts';
import type { ReplicaCall } from './replica.ts';

/**
 * Number of users and models. Each write has its own, so that held writes do not wait for others.
 */
const COUNT = Math.min(1_000, 200 * effort);
const getModel = (at: number) => `model-${at}`;
const getLaterModel = (at: number) => `later-${at}`;
const USUAL: Tokens = { prompt_tokens: 1_000, completion_tokens: 500 };
/** Costs more than half of a user's budget and more than the reservation of an admission. */
const HUGE: Tokens = { prompt_tokens: 1_000, completion_tokens: 60_000 };

/** A write during which the process is killed. */
export interface InterruptedWrite {
  request: ReplicaCall;
  /** Whether each effect of the write is stored. All or none must be. */
  effects(): Promise<boolean[]>;
  /** Sends the same request to another replica, as a sender without an answer does. */
  finish(): Promise<void>;
}

/** The data of the scenes: users with a budget of 1 USD a month, and an alert at 50 percent. */
export class Stage {
  private used = 0;

  constructor(
    readonly manager: TestManager,
    /** Sends to a replica that keeps running. */
    readonly sender: Sender,
  ) {}

  async build(): Promise<void> {
    const { manager } = this;
    const numbers = Array.from({ length: COUNT }, (_, at) => at);
    for (const at of numbers) {
      PRICES[getModel(at)] = PRICES['model-a']!;
      PRICES[getLaterModel(at)] = PRICES['vendor/model-b']!;
    }
    await publishPrices(manager, numbers.map(getModel));
    await publishPrices(manager, [...numbers.map(getModel), ...numbers.map(getLaterModel)], '1 hour');
    await manager.sql(
      `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       SELECT gen_random_uuid(), $1, name, name, name, name, 'config', TRUE, name, now(), now() FROM (SELECT 'user-' || n AS name FROM generate_series(0, $2) AS n) AS names`,
      [manager.issuer.issuer, COUNT],
    );
    await manager.sql(
      `INSERT INTO budgets (subject_id, scope, period, limit_usd) SELECT 'user-' || n, 'user', 'month', 1 FROM generate_series(0, $1) AS n`,
      [COUNT],
    );
    const alert = { name: 'Half', thresholds: [50], url: 'https://127.0.0.1:9/', allow_private_ips: true };
    await sendRequest(manager, 'POST', '/v1/budgets/alerts', alert);
  }

  /** Returns the next unused user and models. */
  next() {
    const at = this.used++;
    const user = `user-${at}`;
    const principal = { issuer: this.manager.issuer.issuer, subject: user };
    return { user, principal, model: getModel(at), later: getLaterModel(at) };
  }

  call(path: string, body: unknown, method = 'POST', token = this.manager.tokens.gateway): ReplicaCall {
    return { method, path, token, body };
  }

  /** Evaluates a condition in SQL. */
  async is(condition: string, ...values: unknown[]): Promise<boolean> {
    const [row] = await this.manager.sql<{ answer: boolean }>(`SELECT ${condition} AS answer`, values);
    return row?.answer ?? false;
  }

  async admit(caller = this.next()): Promise<Admitted> {
    const admitted = await this.sender.admit(caller.principal, caller.user, caller.model, {
      prompt_tokens: 1_000,
      max_output_tokens: 1_000,
    });
    if (admitted === undefined) throw new Error('an admission within the budget is denied');
    return admitted;
  }

  async lease() {
    const caller = this.next();
    const { body } = await this.sender.send('POST', '/gateway/v1/budget-leases', createLease(caller.principal));
    return {
      ...caller,
      id: String(body['lease_id']),
      payer: formatPayer(body['payer']),
      granted: String(body['granted_usd']),
    };
  }

  /**
   * Returns the report of usage as a write. @param furtherEffects effects besides events and
   * charges
   */
  report(
    batch: readonly Sent[],
    furtherEffects: () => Promise<boolean[]> = () => Promise.resolve([]),
  ): InterruptedWrite {
    const isStored = ({ event, price }: Sent) =>
      this.is(
        `(SELECT count(*) = 1 FROM usage_events WHERE interaction_id = $1) AND (SELECT count(*) = $2 FROM charges WHERE interaction_id = $1)`,
        event.interaction_id,
        price === undefined ? 0 : 1,
      );
    return {
      request: this.call('/webhooks/budgets/usage', { events: batch.map(({ event }) => event) }),
      effects: async () => [...(await Promise.all(batch.map(isStored))), ...(await furtherEffects())],
      finish: async () => {
        for (let tries = 0; tries < 50 && (await this.sender.report(batch)) === undefined; tries += 1);
      },
    };
  }
}

const createLease = (principal: unknown) => ({
  ...{ lease_id: uuidv7(), gateway_id: 'local-ai', principal, amount_usd: '0.25', ttl_seconds: 600 },
});
const withoutAdmission = (caller: ReturnType<Stage['next']>, model: string, hoursAgo: number): Admitted => ({
  ...{ interaction_id: randomUUID(), attempt: 1, principal: caller.principal, user: caller.user, model },
  ...{ admitted_at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString() },
  ...{ reservation_id: '', payer: undefined, reserved: 0n, holds: false },
});

/** A kind of write. */
export interface KillScene {
  name: string;
  /** Matches a statement of its transaction. */
  marks: RegExp;
  prepare(stage: Stage): Promise<InterruptedWrite>;
}

export const killScenes: KillScene[] = [
  {
    name: 'admission',
    marks: /INSERT INTO reservations/,
    prepare: (stage) => {
      const { user, principal, model } = stage.next();
      const interaction_id = randomUUID();
      const estimate = { prompt_tokens: 1_000, max_output_tokens: 1_000 };
      return Promise.resolve({
        request: stage.call('/webhooks/budgets/admission', {
          ...{
            interaction_id,
            attempt: 1,
            gateway_id: 'local-ai',
            principal,
            provider: PROVIDER,
            requested_model: model,
          },
          ...{ model, route: 'chat', estimate },
        }),
        effects: () =>
          Promise.all([
            stage.is('EXISTS (SELECT FROM reservations WHERE interaction_id = $1)', interaction_id),
            stage.is('EXISTS (SELECT FROM budget_cells WHERE subject_id = $1 AND reserved_usd > 0)', user),
          ]),
        finish: async () => {
          const admitted = await stage.sender.admit(principal, user, model, estimate, interaction_id);
          if (admitted === undefined) stage.sender.problems.push('a repeated admission is denied');
          else await stage.sender.report([stage.sender.record(admitted, USUAL)]);
        },
      });
    },
  },
  {
    name: 'extension',
    marks: /UPDATE reservations/,
    prepare: async (stage) => {
      const { reservation_id } = await stage.admit();
      const path = `/gateway/v1/reservations/${reservation_id}/extend`;
      return {
        request: stage.call(path, { seconds: 5_000 }),
        effects: async () => [
          await stage.is(
            `(SELECT expires_at > now() + interval '4000 seconds' FROM reservations WHERE id = $1)`,
            reservation_id,
          ),
        ],
        finish: async () => {
          await stage.sender.send('POST', path, { seconds: 5_000 });
        },
      };
    },
  },
  {
    name: 'lease',
    marks: /INSERT INTO reservations/,
    prepare: (stage) => {
      const { user, principal } = stage.next();
      const holds = 'EXISTS (SELECT FROM budget_cells WHERE subject_id = $1 AND reserved_usd > 0)';
      return Promise.resolve({
        request: stage.call('/gateway/v1/budget-leases', createLease(principal)),
        effects: () =>
          Promise.all([
            stage.is(`EXISTS (SELECT FROM reservations WHERE subject_id = $1 AND kind = 'lease')`, user),
            stage.is(holds, user),
          ]),
        finish: async () => {
          await stage.sender.send('POST', '/gateway/v1/budget-leases', createLease(principal));
        },
      });
    },
  },
  {
    name: 'return of a lease',
    marks: /(?:DELETE FROM|UPDATE) reservations/,
    prepare: async (stage) => {
      const { id, user, granted } = await stage.lease();
      const path = `/gateway/v1/budget-leases/${id}`;
      return {
        request: stage.call(path, { unused_usd: granted }, 'DELETE'),
        effects: async () => [
          await stage.is('EXISTS (SELECT FROM budget_cells WHERE subject_id = $1 AND reserved_usd = 0)', user),
        ],
        finish: async () => {
          await stage.sender.send('DELETE', path, { unused_usd: granted });
        },
      };
    },
  },
  {
    name: 'usage of three admissions',
    marks: /COPY usage_events/,
    prepare: async (stage) => {
      const caller = stage.next();
      const admitted = [await stage.admit(caller), await stage.admit(caller), await stage.admit(caller)];
      return stage.report(
        admitted.map((one) => stage.sender.record(one, USUAL)),
        async () => [
          await stage.is('EXISTS (SELECT FROM budget_cells WHERE subject_id = $1 AND reserved_usd = 0)', caller.user),
        ],
      );
    },
  },
  {
    name: 'usage beyond a threshold',
    marks: /COPY usage_events/,
    prepare: async (stage) => {
      const admitted = await stage.admit();
      return stage.report([stage.sender.record(admitted, HUGE)], async () => [
        await stage.is('EXISTS (SELECT FROM budget_alert_deliveries WHERE subject_id = $1)', admitted.user),
      ]);
    },
  },
  {
    name: 'usage without an admission',
    marks: /COPY usage_events/,
    prepare: (stage) => {
      const caller = stage.next();
      return Promise.resolve(stage.report([stage.sender.record(withoutAdmission(caller, caller.model, 30), USUAL)]));
    },
  },
  {
    name: 'usage after the reservation expired',
    marks: /COPY usage_events/,
    prepare: async (stage) => {
      const admitted = await stage.admit();
      await stage.manager.sql(`UPDATE reservations SET expires_at = now() WHERE id = $1`, [admitted.reservation_id]);
      const released = () =>
        stage.is(
          'EXISTS (SELECT FROM reservations WHERE id = $1 AND released_at IS NOT NULL)',
          admitted.reservation_id,
        );
      while (!(await released())) await sleep(50);
      return stage.report([stage.sender.record({ ...admitted, holds: false }, USUAL)]);
    },
  },
  {
    name: 'usage of a lease',
    marks: /COPY usage_events/,
    prepare: async (stage) => {
      const lease = await stage.lease();
      const request = {
        ...withoutAdmission(lease, lease.model, 0),
        ...{ reservation_id: lease.id, payer: lease.payer, holds: true },
      };
      const held = '(SELECT held_usd < amount_usd FROM reservations WHERE id = $1)';
      return stage.report(
        [stage.sender.record({ ...request, reserved: billionths(lease.granted) }, USUAL)],
        async () => [await stage.is(held, lease.id)],
      );
    },
  },
  {
    name: 'usage without a price',
    marks: /COPY usage_events/,
    prepare: (stage) => {
      const caller = stage.next();
      const sent = stage.sender.record(withoutAdmission(caller, `unknown-${caller.model}`, 1), USUAL);
      return Promise.resolve(stage.report([sent]));
    },
  },
  {
    name: 'recharge',
    marks: /DELETE FROM unpriced_events|charge_waiting_events/,
    prepare: async (stage) => {
      const caller = stage.next();
      const sent = stage.sender.record({ ...withoutAdmission(caller, caller.later, 2) }, USUAL);
      sent.price = undefined;
      await stage.report([sent]).finish();
      sent.price = computePrice(caller.later, USUAL);
      const body = { model: caller.later };
      const path = '/v1/budgets/events/recharge';
      return {
        request: stage.call(path, body, 'POST', stage.manager.tokens.admin),
        effects: () =>
          Promise.all([
            stage.is('(SELECT count(*) = 1 FROM charges WHERE interaction_id = $1)', sent.event.interaction_id),
            stage.is('NOT EXISTS (SELECT FROM unpriced_events WHERE interaction_id = $1)', sent.event.interaction_id),
          ]),
        finish: async () => {
          // A recharge skips events that the killed transaction still locks. The operation is
          // repeated while events with a price remain.
          for (let left = 1; left > 0;) {
            const response = await stage.sender.send('POST', path, body, 400, stage.manager.tokens.admin);
            if (response.status !== 200) stage.sender.problems.push(`a recharge answers ${response.status}`);
            left = Number(response.body['priceable_count'] ?? 0);
            if (left > 0) stage.sender.count('recharge repeated');
          }
        },
      };
    },
  },
];
