import { DecimalError } from '@gatehouse/money/decimal';
import { type Usd, readUsd } from '@gatehouse/money/usd';
import { z } from 'zod';

/** A positive amount in USD, as a decimal. */
const amount = (fallback: string) =>
  z.string().refine(isPositiveUsd, 'must be an amount in USD of more than 0, such as 2.5').default(fallback);

function isPositiveUsd(text: string): boolean {
  try {
    return readUsd(text) > 0n;
  } catch (error) {
    if (error instanceof DecimalError) return false;
    throw error;
  }
}

const seconds = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number of seconds')
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .default(fallback);

/** The variables of leases, for the schema of the settings. */
export const leaseSettings = {
  BUDGET_LEASE_MIN_USD: amount('0.05').describe(
    'Smallest part of a budget, in USD, that the gateway leases for a user or key',
  ),
  BUDGET_LEASE_MAX_USD: amount('20').describe(
    'Largest part of a budget, in USD, that the gateway leases for a user or key. The enterprise manager admits a request with a larger estimate by itself',
  ),
  BUDGET_LEASE_SECONDS: seconds(300, 3_600, 900).describe(
    'Seconds for which a lease reserves its amount. It admits requests in the first fifth of this time; the rest should not be shorter than REQUEST_SECONDS',
  ),
  BUDGET_LEASE_IDLE_SECONDS: seconds(1, 600, 10).describe('Seconds without a request after which a lease is returned'),
  BUDGET_LEASE_AWAY_SECONDS: seconds(10, 600, 60).describe(
    'Seconds after the last answer of the enterprise manager in which requests are still admitted within leases',
  ),
};

/** Reads the settings of leases. */
export const readLeaseSettings = (settings: z.output<z.ZodObject<typeof leaseSettings>>): LeaseSettings => ({
  minUsd: readUsd(settings.BUDGET_LEASE_MIN_USD),
  maxUsd: readUsd(settings.BUDGET_LEASE_MAX_USD),
  lifetimeMs: settings.BUDGET_LEASE_SECONDS * 1_000,
  idleMs: settings.BUDGET_LEASE_IDLE_SECONDS * 1_000,
  awayMs: settings.BUDGET_LEASE_AWAY_SECONDS * 1_000,
});

/** The size and the life of leases. Times are milliseconds. */
export interface LeaseSettings {
  readonly minUsd: Usd;
  readonly maxUsd: Usd;
  /** The time for which a lease reserves its amount. */
  readonly lifetimeMs: number;
  /** A lease is returned after this time without an attempt. */
  readonly idleMs: number;
  /** How long leases are used after the last answer of the enterprise manager. */
  readonly awayMs: number;
}

/** Attempts that one lease should pay. */
const ATTEMPTS_PER_LEASE = 20n;
/** The part of its life in which a lease admits attempts; they run on in the rest. */
const ADMISSION_SHARE = 5;
/** A lease without a budget is renewed after this time, because a budget may apply by then. */
const UNLIMITED_RENEWAL_MS = 10_000;
/** The end of a budget window by the clock of the gateway can be wrong by this time. */
const CLOCK_TOLERANCE_MS = 1_000;

/**
 * Computes the amount of a lease.
 * @param estimate the estimated cost of the attempt that needs the lease
 * @param waiting the estimated cost of all attempts that wait for it
 */
export function computeLeaseAmount(estimate: Usd, waiting: Usd, { minUsd, maxUsd }: LeaseSettings): Usd {
  const wanted = estimate * ATTEMPTS_PER_LEASE > waiting ? estimate * ATTEMPTS_PER_LEASE : waiting;
  return wanted < minUsd ? minUsd : wanted > maxUsd ? maxUsd : wanted;
}

/** The times of a lease, in milliseconds since the epoch. */
interface LeaseTimes {
  readonly startsAt: number;
  readonly renewsAt: number;
  readonly admitsUntil: number;
}

/**
 * Computes the times of a granted lease.
 * @param sentAt the first time that the lease was requested: its life begins later
 * @param expiresAt the end that the enterprise manager named
 */
export function computeLeaseTimes(
  { sentAt, expiresAt, hasPayer }: { sentAt: number; expiresAt: number; hasPayer: boolean },
  { lifetimeMs, awayMs }: LeaseSettings,
): LeaseTimes {
  const span = lifetimeMs / ADMISSION_SHARE;
  const admitsUntil = Math.min(sentAt + span, expiresAt - CLOCK_TOLERANCE_MS);
  const renewsAt = Math.min(
    admitsUntil - Math.min(awayMs, span / 2),
    hasPayer ? Infinity : sentAt + UNLIMITED_RENEWAL_MS,
  );
  return { startsAt: expiresAt - lifetimeMs, renewsAt, admitsUntil };
}
