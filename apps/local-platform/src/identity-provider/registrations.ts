/** Registrations that are admitted in each minute. */
export const REGISTRATIONS_PER_MINUTE = 30;
/** Registered clients that are kept. */
export const MAX_CLIENTS = 1000;
/** Seconds for which a client is kept that has never signed a user in. */
export const UNUSED_TTL = 3600;
/**
 * Seconds for which a client is kept after its last sign-in or refresh: as long as a refresh token.
 */
export const USED_TTL = 30 * 24 * 3600;

const WINDOW = 60;

/** Counts registrations in a sliding window of one minute. */
export class RegistrationWindow {
  readonly #now: () => number;
  #times: number[] = [];

  /** @param now seconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns 0 when one more registration is admitted, else the seconds until the next one is */
  admit(): number {
    const now = this.#now();
    this.#times = this.#times.filter((time) => time > now - WINDOW);
    const [oldest] = this.#times;
    if (oldest !== undefined && this.#times.length >= REGISTRATIONS_PER_MINUTE) return oldest + WINDOW - now;
    this.#times.push(now);
    return 0;
  }
}
