/** Maximum number of registrations in a minute. */
export const REGISTRATIONS_PER_MINUTE = 30;
/** Maximum number of registered clients. */
export const MAX_CLIENTS = 1000;
/** Lifetime in seconds of a client without a sign-in. */
export const UNUSED_TTL = 3600;
/** Lifetime in seconds of a client after its last sign-in or refresh, as of a refresh token. */
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

  /** @returns 0 when a registration is admitted, else the seconds until the next one */
  admit(): number {
    const now = this.#now();
    this.#times = this.#times.filter((time) => time > now - WINDOW);
    const [oldest] = this.#times;
    if (oldest !== undefined && this.#times.length >= REGISTRATIONS_PER_MINUTE) return oldest + WINDOW - now;
    this.#times.push(now);
    return 0;
  }
}
