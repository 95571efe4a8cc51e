import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { TestManager } from './enterprise-manager.ts';
import type { Dice } from './ledger-dice.ts';
import { billionths, PRICES, priceOf, UNPRICED } from './ledger-model.ts';
import { type Admitted, type Lease, payerOf, type Principal, type Sender, type Sent } from './ledger-sender.ts';

/** A user whose requests an actor sends. */
export interface Caller {
  person: string;
  principal: Principal;
  /** True if the key is revoked; the user then gets no admissions and no leases. */
  revoked: boolean;
}

const MODELS = Object.keys(PRICES);
const DAY_MS = 86_400_000;
/** The user whose limit rises repeatedly by a small amount, so that little is left. */
const PRESSED = 'rising';

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

  /** One step. */
  async act(): Promise<void> {
    const step = this.dice.pickWeighted<() => Promise<void>>([
      [40, () => this.admit()],
      [12, () => this.admitMany()],
      [28, () => this.reportSome()],
      [8, () => this.reportBare()],
      [5, () => this.repeat()],
      [4, () => this.contradict()],
      [4, () => this.extend()],
      [3, () => this.expire()],
      [3, () => this.takeLease()],
      [6, () => this.drawOnLease()],
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
    const first = await this.sender.admit(caller.principal, caller.person, model, estimate);
    if (first === undefined) return;
    if (revoked) this.sender.complaints.push(`a revoked key of ${caller.person} is admitted`);
    if (model === UNPRICED) this.sender.complaints.push('a model without a price is admitted');
    this.admitted.push(first);
    if (!this.dice.chance(10)) return;
    const { interaction_id, principal, person } = first;
    const again = await this.sender.admit(principal, person, model, estimate, interaction_id);
    if (again?.reservation_id !== first.reservation_id || again.reserved !== first.reserved)
      this.sender.complaints.push(`a repeated admission of ${interaction_id} is another one`);
  }

  /**
   * Many at once for one person, over both replicas: where little is left, few of them may pass.
   */
  private async admitMany(): Promise<void> {
    const working = this.callers().filter(({ revoked }) => !revoked);
    const pressed = working.filter(({ person }) => person === PRESSED);
    const { principal, person } = this.dice.pick(pressed.length > 0 && this.dice.chance(70) ? pressed : working);
    const estimate = { prompt_tokens: 1, max_output_tokens: this.dice.between(500, 1_000) };
    const asked = Array.from({ length: 16 }, () => this.sender.admit(principal, person, 'model-a', estimate));
    this.admitted.push(...(await Promise.all(asked)).filter((one) => one !== undefined));
  }

  /** Usually less than was reserved, sometimes more. */
  private tokens() {
    const most = this.dice.chance(8) ? 4_000 : 800;
    return { prompt_tokens: this.dice.between(1, most), completion_tokens: this.dice.between(0, most) };
  }

  private async reportSome(): Promise<void> {
    const settling = this.admitted.splice(0, this.dice.between(1, 12));
    const batch = settling.map((one) =>
      this.sender.note(one, this.tokens(), this.dice.chance(10) ? 'client_disconnect' : 'delivered'),
    );
    if (batch.length === 0) return;
    // The same report twice in one batch, in any order with the others.
    const repeated = this.dice.chance(10) ? [...batch, this.dice.pick(batch)] : batch;
    const garbage = this.dice.chance(10) ? [{ interaction_id: randomUUID(), attempt: -1 }] : [];
    const results = await this.sender.report(repeated.toReversed(), garbage);
    if (garbage.length > 0 && results !== undefined && results[0]?.status !== 'rejected')
      this.sender.complaints.push(`garbage is ${results[0]?.status}`);
  }

  /** Without any admission; now, or some days or months late. */
  private async reportBare(): Promise<void> {
    const batch = Array.from({ length: this.dice.between(1, 5) }, () => {
      const { person, principal } = this.dice.pick(this.callers());
      const daysLate = this.dice.pick([0, 0, 1, 40, 200]);
      const admitted_at = new Date(Date.now() - daysLate * DAY_MS).toISOString();
      const model = this.dice.chance(10) ? UNPRICED : this.dice.pick(MODELS);
      return this.sender.note(
        {
          ...{ interaction_id: randomUUID(), attempt: this.dice.between(1, 3), principal, person, model, admitted_at },
          ...{ reservation_id: '', payer: undefined, reserved: 0n, holds: false },
        },
        this.tokens(),
      );
    });
    await this.sender.report(batch);
  }

  /** What was sent before, acknowledged or not. */
  private async repeat(): Promise<void> {
    const sent = [...this.sender.log.values()];
    if (sent.length === 0) return;
    await this.sender.report(Array.from({ length: this.dice.between(1, 10) }, () => this.dice.pick(sent)));
  }

  /** The same attempt with other content, once the first is acknowledged. */
  private async contradict(): Promise<void> {
    const known = [...this.sender.log.values()].filter(({ acknowledged }) => acknowledged !== undefined);
    if (known.length === 0) return;
    const { event } = this.dice.pick(known);
    const results = await this.sender.report([], [{ ...event, duration_ms: 1 + Number(event['duration_ms']) }]);
    this.sender.count('conflict sent');
    if (results !== undefined && results[0]?.status !== 'conflict')
      this.sender.complaints.push(`a contradiction is ${results[0]?.status}`);
  }

  private async extend(): Promise<void> {
    const held = this.admitted.filter(({ holds, reserved }) => holds && reserved > 0n);
    if (held.length === 0) return;
    const { reservation_id } = this.dice.pick(held);
    const answer = await this.sender.once('POST', `/gateway/v1/reservations/${reservation_id}/extend`, {
      seconds: 1_200,
    });
    if (answer !== undefined && answer.status !== 200)
      this.sender.complaints.push(`an extension answers ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** Time passes for some: their usage will be late. */
  private async expire(): Promise<void> {
    const some = this.admitted.filter(() => this.dice.chance(30));
    for (const one of some) one.holds = false;
    await this.passFor(some.map(({ reservation_id }) => reservation_id));
    const lease = this.dice.chance(20) ? this.leases.shift() : undefined;
    if (lease !== undefined) await this.passFor([lease.lease_id]);
  }

  private async passFor(ids: string[]): Promise<void> {
    await this.sql(
      `UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = ANY ($1::uuid[]) AND released_at IS NULL`,
      [ids],
    );
  }

  private async takeLease(): Promise<void> {
    const { person, principal } = this.dice.pick(this.callers().filter(({ revoked }) => !revoked));
    const answer = await this.sender.once('POST', '/gateway/v1/budget-leases', {
      ...{
        lease_id: uuidv7(),
        gateway_id: 'local-ai',
        principal,
        amount_usd: `0.${this.dice.between(1, 9)}`,
        ttl_seconds: 600,
      },
    });
    if (answer === undefined) return;
    if (answer.status !== 200) {
      this.sender.complaints.push(`a lease answers ${answer.status} ${JSON.stringify(answer.body)}`);
      return;
    }
    const granted = billionths(String(answer.body['granted_usd']));
    this.sender.count(granted > 0n ? 'lease granted' : 'lease refused');
    if (granted === 0n) return;
    this.leases.push({
      ...{ lease_id: String(answer.body['lease_id']), principal, person, payer: payerOf(answer.body['payer']) },
      ...{ granted, drawn: 0n, holds: true, started: new Date().toISOString() },
    });
  }

  /** Requests that were admitted within a lease, some of them dearer than what was left of it. */
  private async drawOnLease(): Promise<void> {
    if (this.leases.length === 0) return;
    const lease = this.dice.pick(this.leases);
    const batch: Sent[] = [];
    for (let at = this.dice.between(1, 4); at > 0; at -= 1) {
      const [model, tokens] = [this.dice.pick(MODELS), this.tokens()];
      const left = lease.granted > lease.drawn ? lease.granted - lease.drawn : 0n;
      lease.drawn += priceOf(model, tokens) ?? 0n;
      batch.push(
        this.sender.note(
          {
            ...{ interaction_id: randomUUID(), attempt: 1, principal: lease.principal, person: lease.person, model },
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
    // What is not known to have been counted is no longer drawn from it: it would be charged after
    // the lease.
    if (batch.some(({ acknowledged }) => acknowledged === undefined)) this.leases.splice(this.leases.indexOf(lease), 1);
  }

  private async returnLease(): Promise<void> {
    const lease = this.leases.shift();
    if (lease === undefined) return;
    const unused = lease.granted > lease.drawn ? lease.granted - lease.drawn : 0n;
    const digits = unused.toString().padStart(10, '0');
    const unused_usd = `${digits.slice(0, -9)}.${digits.slice(-9)}`;
    const { status, body } = await this.sender.until('DELETE', `/gateway/v1/budget-leases/${lease.lease_id}`, {
      unused_usd,
    });
    if (status !== 204 && status !== 200 && status !== 404)
      this.sender.complaints.push(`a returned lease answers ${status} ${JSON.stringify(body)}`);
  }
}
