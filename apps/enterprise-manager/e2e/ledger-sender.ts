import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { billionths, PROVIDER, computePrice, type Tokens } from './ledger-model.ts';
import type { ReplicaAnswer, ReplicaCall } from './replica.ts';

/** The user or key of a request. */
export type Principal = { issuer: string; subject: string } | { virtual_key_id: string };

/** An admitted request before its settlement. */
export interface Admitted {
  interaction_id: string;
  attempt: number;
  principal: Principal;
  user: string;
  model: string;
  admitted_at: string;
  reservation_id: string;
  payer: string | undefined;
  reserved: bigint;
  /** Whether the reservation certainly held its amount when its usage was sent. */
  holds: boolean;
}

/** A report of usage in the sender's log. */
export interface Sent {
  event: Record<string, unknown> & { interaction_id: string; attempt: number; event_time: string };
  user: string;
  /** The expected charge in billionths; undefined for a model without a price. */
  price: bigint | undefined;
  /** The part of the charge above its reservation, by which it may exceed a limit. */
  overrun: bigint;
  /** The payer of the admission, if any. */
  payer: string | undefined;
  /** The answer of the service. */
  acknowledged: { event_id: string; status: string } | undefined;
}

/** A result of the service for one report. */
export interface Result {
  status: 'charged' | 'duplicate' | 'conflict' | 'unpriceable' | 'rejected';
  event_id?: string;
  charged_usd?: string;
  error?: string;
}

/** A lease of the sender. */
export interface Lease {
  lease_id: string;
  principal: Principal;
  user: string;
  payer: string | undefined;
  granted: bigint;
  drawn: bigint;
  holds: boolean;
  started: string;
}

export const formatPayer = (payer: unknown): string | undefined => {
  const named = payer as { scope: string; subject_id: string } | undefined;
  return named && `${named.scope} ${named.subject_id}`;
};

const getAttemptKey = ({ interaction_id, attempt }: Pick<Sent['event'], 'interaction_id' | 'attempt'>) =>
  `${interaction_id} ${attempt}`;

/**
 * A gateway with a log of its reports and their acknowledgements. It repeats reports without an
 * acknowledgement to any replica, as the outbox of a gateway does. `problems` has the errors in
 * answers.
 */
export class Sender {
  readonly log = new Map<string, Sent>();
  readonly problems: string[] = [];
  readonly counts = new Map<string, number>();

  constructor(
    private readonly token: string,
    /** Returns the replica for the next request. */
    private readonly replica: () => { call(request: ReplicaCall): Promise<ReplicaAnswer> } | undefined,
  ) {}

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Sends a request once. @returns undefined without an answer, and for 429 and 503 */
  async trySend(method: string, path: string, body?: unknown, token = this.token): Promise<ReplicaAnswer | undefined> {
    const replica = this.replica();
    if (replica === undefined) {
      await sleep(20);
      return undefined;
    }
    try {
      const response = await replica.call({ method, path, token, ...(body !== undefined && { body }) });
      if (response.status === 503 || response.status === 429) {
        this.count(`answer ${response.status}`);
        await sleep(50);
        return undefined;
      }
      if (response.status >= 500) this.problems.push(`${method} ${path} answers ${response.status}`);
      return response;
    } catch {
      this.count('no answer');
      return undefined;
    }
  }

  /** Repeats a request until it has an answer. */
  async send(method: string, path: string, body?: unknown, tries = 400, token = this.token): Promise<ReplicaAnswer> {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const response = await this.trySend(method, path, body, token);
      if (response !== undefined) return response;
      await sleep(25);
    }
    throw new Error(`${method} ${path} is never answered`);
  }

  /** Requests an admission until it has an answer. @returns undefined if it is denied */
  async admit(
    principal: Principal,
    user: string,
    model: string,
    estimate: { prompt_tokens: number; max_output_tokens: number },
    interaction_id: string = randomUUID(),
    attempt = 1,
  ): Promise<Admitted | undefined> {
    const request = {
      ...{
        interaction_id,
        attempt,
        gateway_id: 'local-ai',
        principal,
        provider: PROVIDER,
        requested_model: model,
        model,
      },
      ...{ route: 'chat', estimate },
    };
    const { status, body } = await this.send('POST', '/webhooks/budgets/admission', request);
    if (status !== 200) {
      this.problems.push(`an admission answers ${status} ${JSON.stringify(body)}`);
      return undefined;
    }
    const { decision, reason = '', reserved_usd = '0' } = body as { [field: string]: string | undefined };
    this.count(`${decision} ${reason}`.trim());
    if (decision !== 'admitted') return undefined;
    return {
      ...{ interaction_id, attempt, principal, user, model, holds: true, payer: formatPayer(body['payer']) },
      admitted_at: String(body['admitted_at']),
      reservation_id: String(body['reservation_id']),
      reserved: billionths(reserved_usd),
    };
  }

  /** Adds a report to the log. It is not sent yet. */
  record(
    { interaction_id, attempt, principal, user, model, admitted_at, reservation_id, payer, reserved, holds }: Admitted,
    tokens: Tokens,
    outcome = 'delivered',
  ): Sent {
    const price = computePrice(model, tokens);
    const raw = { ...tokens, total_tokens: tokens.prompt_tokens + tokens.completion_tokens };
    const sent: Sent = {
      event: {
        ...{ interaction_id, attempt, event_time: admitted_at, gateway_id: 'local-ai', principal, provider: PROVIDER },
        ...(reservation_id !== '' && { reservation_id }),
        ...{ route: 'chat', requested_model: model, model, outcome, upstream_status: 200, duration_ms: 12 },
        ...(outcome === 'client_disconnect' ? { raw_usage: null, estimated_usage: raw } : { raw_usage: raw }),
      },
      ...{ user, price, payer, acknowledged: undefined },
      overrun: price === undefined ? 0n : !holds ? price : price > reserved ? price - reserved : 0n,
    };
    this.log.set(getAttemptKey(sent.event), sent);
    return sent;
  }

  /**
   * Sends reports once and stores their acknowledgements.
   * @param extras further reports, which the service must refuse without an effect on the others
   */
  async report(batch: readonly Sent[], extras: readonly unknown[] = []): Promise<Result[] | undefined> {
    const response = await this.trySend('POST', '/webhooks/budgets/usage', {
      events: [...extras, ...batch.map(({ event }) => event)],
    });
    if (response === undefined) return undefined;
    const results = response.body['results'] as Result[] | undefined;
    if (response.status !== 200 || results?.length !== batch.length + extras.length) {
      this.problems.push(`usage answers ${response.status} ${JSON.stringify(response.body)}`);
      return undefined;
    }
    for (const [at, sent] of batch.entries()) this.acknowledge(sent, results[extras.length + at]!);
    return results;
  }

  private acknowledge(sent: Sent, { status, event_id, charged_usd, error }: Result): void {
    const key = getAttemptKey(sent.event);
    this.count(status);
    const before = sent.acknowledged;
    if (status === 'rejected' || status === 'conflict') this.problems.push(`${key} is ${status}: ${error}`);
    else if (event_id === undefined) this.problems.push(`${key} is ${status} and has no event_id`);
    // Two answers can arrive in any order, but only one of them can be `charged`.
    else if (
      before !== undefined &&
      ((status !== 'duplicate' && before.status === status) || before.event_id !== event_id)
    )
      this.problems.push(`${key} is ${status} as ${event_id} after ${before.status} as ${before.event_id}`);
    else if (charged_usd !== undefined && billionths(charged_usd) !== sent.price)
      this.problems.push(`${key} is charged ${charged_usd}, but ${sent.price} billionths are expected`);
    else if (before === undefined || status !== 'duplicate') sent.acknowledged = { event_id, status };
  }

  /** The reports without an acknowledgement. */
  get open(): Sent[] {
    return [...this.log.values()].filter(({ acknowledged }) => acknowledged === undefined);
  }

  /** Repeats the reports until all are acknowledged. */
  async settleAll(): Promise<void> {
    for (let tries = 0; this.open.length > 0 && tries < 400; tries += 1) {
      const { open } = this;
      const before = this.problems.length;
      for (let at = 0; at < open.length; at += 500) await this.report(open.slice(at, at + 500));
      if (this.problems.length > before) return;
    }
  }
}
