import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { TestManager } from './enterprise-manager.ts';
import type { Dice } from './ledger-dice.ts';
import { billionths, PRICES, computePrice, UNPRICED } from './ledger-model.ts';
import { type Admitted, type Lease, formatPayer, type Principal, type Sender, type Sent } from './ledger-sender.ts';

/** A user whose requests an actor sends. */
export interface Caller {
  user: string;
  principal: Principal;
  /** Whether the key is revoked. Its user then gets no admissions and no leases. */
  revoked: boolean;
}

const MODELS = Object.keys(PRICES);
const DAY_MS = 86_400_000;
/** The user whose limit rises repeatedly by a small amount, so that the remainder stays small. */
const RISING = 'rising';

/**
 * Sends a random stream of requests of a gateway: admissions, extensions, leases, and usage that is
 * late, repeated, conflicting, unadmitted, expired or larger than its reservation.
 */
export class Actor {
  private readonly admitted: Admitted[] = [];
  private readonly leases: Lease[] = [];

  constructor(
    private readonly dice: Dice,
    private readonly sender: Sender,
    private readonly sql: TestManager['sql'],
    private readonly callers: () => readonly Caller[],
  ) {}

  /** Runs a random step. */
  async act(): Promise<void> {
    const step = this.dice.pickWeighted<() => Promise<void>>([
      [40, () => this.admit()],
      [12, () => this.admitMany()],
      [28, () => this.reportSome()],
      [8, () => this.reportWithoutAdmission()],
      [5, () => this.repeat()],
      [4, () => this.contradict()],
      [4, () => this.extend()],
      [3, () => this.expire()],
      [3, () => this.takeLease()],
      [6, () => this.useLease()],
      [2, () => this.returnLease()],
    ]);
    await step();
  }

  private async admit(): Promise<void> {
    const caller = this.dice.pick(this.callers());
    const { revoked } = caller;
    const model = this.dice.chance(3) ? UNPRICED : this.dice.pick(MODELS);
    const estimate = {
      prompt_tokens: this.dice.between(1, 2_000),
      max_output_tokens: this.dice.between(1, 1_000),
    };
    const first = await this.sender.admit(caller.principal, caller.user, model, estimate);
    if (first === undefined) return;
    if (revoked) this.sender.problems.push(`a revoked key of ${caller.user} is admitted`);
    if (model === UNPRICED) this.sender.problems.push('a model without a price is admitted');
    this.admitted.push(first);
    if (!this.dice.chance(10)) return;
    const { interaction_id, principal, user } = first;
    const again = await this.sender.admit(principal, user, model, estimate, interaction_id);
    if (again?.reservation_id !== first.reservation_id || again.reserved !== first.reserved)
      this.sender.problems.push(`a repeated admission of ${interaction_id} has another reservation`);
  }

  /** Sends many requests of one user at once to both replicas. A small remainder admits few. */
  private async admitMany(): Promise<void> {
    const working = this.callers().filter(({ revoked }) => !revoked);
    const rising = working.filter(({ user }) => user === RISING);
    const { principal, user } = this.dice.pick(rising.length > 0 && this.dice.chance(70) ? rising : working);
    const estimate = { prompt_tokens: 1, max_output_tokens: this.dice.between(500, 1_000) };
    const admissions = Array.from({ length: 16 }, () => this.sender.admit(principal, user, 'model-a', estimate));
    this.admitted.push(...(await Promise.all(admissions)).filter((one) => one !== undefined));
  }

  /** A usage, usually below its reservation and sometimes above it. */
  private tokens() {
    const most = this.dice.chance(8) ? 4_000 : 800;
    return { prompt_tokens: this.dice.between(1, most), completion_tokens: this.dice.between(0, most) };
  }

  private async reportSome(): Promise<void> {
    const settling = this.admitted.splice(0, this.dice.between(1, 12));
    const batch = settling.map((one) =>
      this.sender.record(one, this.tokens(), this.dice.chance(10) ? 'client_disconnect' : 'delivered'),
    );
    if (batch.length === 0) return;
    // A batch can contain the same report twice.
    const repeated = this.dice.chance(10) ? [...batch, this.dice.pick(batch)] : batch;
    const garbage = this.dice.chance(10) ? [{ interaction_id: randomUUID(), attempt: -1 }] : [];
    const results = await this.sender.report(repeated.toReversed(), garbage);
    if (garbage.length > 0 && results !== undefined && results[0]?.status !== 'rejected')
      this.sender.problems.push(`garbage is ${results[0]?.status}`);
  }

  /** Reports usage without an admission, which is up to some months old. */
  private async reportWithoutAdmission(): Promise<void> {
    const batch = Array.from({ length: this.dice.between(1, 5) }, () => {
      const { user, principal } = this.dice.pick(this.callers());
      const daysLate = this.dice.pick([0, 0, 1, 40, 200]);
      const admitted_at = new Date(Date.now() - daysLate * DAY_MS).toISOString();
      const model = this.dice.chance(10) ? UNPRICED : this.dice.pick(MODELS);
      return this.sender.record(
        {
          ...{ interaction_id: randomUUID(), attempt: this.dice.between(1, 3), principal, user, model, admitted_at },
          ...{ reservation_id: '', payer: undefined, reserved: 0n, holds: false },
        },
        this.tokens(),
      );
    });
    await this.sender.report(batch);
  }

  /** Repeats reports, acknowledged or not. */
  private async repeat(): Promise<void> {
    const sent = [...this.sender.log.values()];
    if (sent.length === 0) return;
    await this.sender.report(Array.from({ length: this.dice.between(1, 10) }, () => this.dice.pick(sent)));
  }

  /** Sends an acknowledged attempt again with other content. */
  private async contradict(): Promise<void> {
    const known = [...this.sender.log.values()].filter(({ acknowledged }) => acknowledged !== undefined);
    if (known.length === 0) return;
    const { event } = this.dice.pick(known);
    const results = await this.sender.report([], [{ ...event, duration_ms: 1 + Number(event['duration_ms']) }]);
    this.sender.count('conflict sent');
    if (results !== undefined && results[0]?.status !== 'conflict')
      this.sender.problems.push(`an attempt with other content is ${results[0]?.status}`);
  }

  private async extend(): Promise<void> {
    const held = this.admitted.filter(({ holds, reserved }) => holds && reserved > 0n);
    if (held.length === 0) return;
    const { reservation_id } = this.dice.pick(held);
    const response = await this.sender.trySend('POST', `/gateway/v1/reservations/${reservation_id}/extend`, {
      seconds: 1_200,
    });
    if (response !== undefined && response.status !== 200)
      this.sender.problems.push(`an extension answers ${response.status} ${JSON.stringify(response.body)}`);
  }

  /** Makes some reservations expire, so that their usage is late. */
  private async expire(): Promise<void> {
    const some = this.admitted.filter(() => this.dice.chance(30));
    for (const one of some) one.holds = false;
    await this.expireReservations(some.map(({ reservation_id }) => reservation_id));
    const lease = this.dice.chance(20) ? this.leases.shift() : undefined;
    if (lease !== undefined) await this.expireReservations([lease.lease_id]);
  }

  private async expireReservations(ids: string[]): Promise<void> {
    await this.sql(
      `UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = ANY ($1::uuid[]) AND released_at IS NULL`,
      [ids],
    );
  }

  private async takeLease(): Promise<void> {
    const { user, principal } = this.dice.pick(this.callers().filter(({ revoked }) => !revoked));
    const response = await this.sender.trySend('POST', '/gateway/v1/budget-leases', {
      ...{
        lease_id: uuidv7(),
        gateway_id: 'local-ai',
        principal,
        amount_usd: `0.${this.dice.between(1, 9)}`,
        ttl_seconds: 600,
      },
    });
    if (response === undefined) return;
    if (response.status !== 200) {
      this.sender.problems.push(`a lease answers ${response.status} ${JSON.stringify(response.body)}`);
      return;
    }
    const granted = billionths(String(response.body['granted_usd']));
    this.sender.count(granted > 0n ? 'lease granted' : 'lease refused');
    if (granted === 0n) return;
    this.leases.push({
      ...{ lease_id: String(response.body['lease_id']), principal, user, payer: formatPayer(response.body['payer']) },
      ...{ granted, drawn: 0n, holds: true, started: new Date().toISOString() },
    });
  }

  /** Reports requests within a lease. Some cost more than the remainder of the lease. */
  private async useLease(): Promise<void> {
    if (this.leases.length === 0) return;
    const lease = this.dice.pick(this.leases);
    const batch: Sent[] = [];
    for (let at = this.dice.between(1, 4); at > 0; at -= 1) {
      const [model, tokens] = [this.dice.pick(MODELS), this.tokens()];
      const left = lease.granted > lease.drawn ? lease.granted - lease.drawn : 0n;
      lease.drawn += computePrice(model, tokens) ?? 0n;
      batch.push(
        this.sender.record(
          {
            ...{ interaction_id: randomUUID(), attempt: 1, principal: lease.principal, user: lease.user, model },
            ...{
              admitted_at: lease.started,
              reservation_id: lease.lease_id,
              payer: lease.payer,
              reserved: left,
              holds: true,
            },
          },
          tokens,
        ),
      );
    }
    await this.sender.report(batch);
    // Unacknowledged usage may be charged after the return of the lease, so the lease is abandoned.
    if (batch.some(({ acknowledged }) => acknowledged === undefined)) this.leases.splice(this.leases.indexOf(lease), 1);
  }

  private async returnLease(): Promise<void> {
    const lease = this.leases.shift();
    if (lease === undefined) return;
    const unused = lease.granted > lease.drawn ? lease.granted - lease.drawn : 0n;
    const digits = unused.toString().padStart(10, '0');
    const unused_usd = `${digits.slice(0, -9)}.${digits.slice(-9)}`;
    const { status, body } = await this.sender.send('DELETE', `/gateway/v1/budget-leases/${lease.lease_id}`, {
      unused_usd,
    });
    if (status !== 204 && status !== 200 && status !== 404)
      this.sender.problems.push(`a returned lease answers ${status} ${JSON.stringify(body)}`);
  }
}
