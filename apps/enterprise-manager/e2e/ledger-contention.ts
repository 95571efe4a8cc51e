import type { Dice } from './ledger-dice.ts';
import type { Principal, Sender } from './ledger-sender.ts';
import { billionths, computePrice } from './ledger-model.ts';

const MODEL = 'model-a';
/** The number of parallel requests on both replicas. */
const ASKED = 32;

/**
 * Raises the limit of one user by the price of a few requests and sends many more at the same
 * moment. The user has no other charges, and each request costs its estimate. The sender's sum of
 * admitted amounts therefore shows exactly whether too many requests were admitted.
 */
export class Contention {
  /** The current limit in US dollars. */
  private limit = 0.01;
  /** Whether the limit has risen since the last round. */
  isRaised = false;
  private reserved = 0n;

  constructor(
    private readonly dice: Dice,
    private readonly sender: Sender,
    private readonly principal: Principal,
    private readonly user: string,
  ) {}

  /** Returns the next limit. */
  raise(): number {
    this.limit += this.dice.between(10, 40) / 1_000;
    return this.limit;
  }

  /** Sends all requests at once and reports the usage of the admitted ones. */
  async sendAll(): Promise<void> {
    this.isRaised = false;
    const tokens = { prompt_tokens: 1, completion_tokens: this.dice.between(500, 1_000) };
    const estimate = { prompt_tokens: tokens.prompt_tokens, max_output_tokens: tokens.completion_tokens };
    const responses = await Promise.all(
      Array.from({ length: ASKED }, () => this.sender.admit(this.principal, this.user, MODEL, estimate)),
    );
    const admitted = responses.filter((one) => one !== undefined);
    this.sender.count('contended');
    this.reserved += admitted.reduce((sum, { reserved }) => sum + reserved, 0n);
    const most = billionths(this.limit.toFixed(4));
    if (this.reserved > most)
      this.sender.problems.push(`${this.user} has reservations of ${this.reserved} with a limit of ${most}`);
    for (const { reserved } of admitted) this.reserved -= reserved - (computePrice(MODEL, tokens) ?? 0n);
    if (admitted.length > 0) await this.sender.report(admitted.map((one) => this.sender.record(one, tokens)));
  }
}
