import { Refusal } from '@gatehouse/service-kit/refusal';

/** How long the old secret works after a rotation: 24 hours. */
export const ROTATION_GRACE_MS = 24 * 60 * 60 * 1_000;

/** Keys that one person may have at a time; revoked and expired ones do not count. */
export const MAX_KEYS = 100;

/** Idempotency keys of rotations that a key remembers. */
export const MAX_IDEMPOTENCY_KEYS = 20;

/** What a key may do. */
export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** Who keeps a key disabled; each only lets go of its own. */
export type DisabledBy = 'owner' | 'administrator' | 'deactivation';

/** The state of a key. Times are RFC 3339 in UTC. A key is disabled as long as anybody keeps it disabled. */
export interface KeyState {
  disabled_by_owner: boolean;
  disabled_by_administrator: boolean;
  disabled_by_deactivation: boolean;
  revoked_at: string | null;
  expires_at: string | null;
}

/** What can be asked of a key. */
export type KeyAction =
  'disable' | 'enable' | 'revoke' | 'rotate' | 'disable as administrator' | 'enable as administrator';

/** Which columns an action changes; none when the key is like that already. */
export type KeyChange = Partial<Pick<KeyState, 'disabled_by_owner' | 'disabled_by_administrator' | 'revoked_at'>>;

/** Who keeps the key disabled. */
export const getDisabledBy = (key: KeyState): DisabledBy[] =>
  (['owner', 'administrator', 'deactivation'] as const).filter((who) => key[`disabled_by_${who}`]);

/** The status that clients see. Expiry is no status: `expires_at` says it. */
export const getStatus = (key: KeyState): KeyStatus => {
  if (key.revoked_at !== null) return 'revoked';
  return getDisabledBy(key).length > 0 ? 'disabled' : 'active';
};

/** Whether the key's time is over; the last instant does not belong to it. */
export const isExpired = ({ expires_at }: Pick<KeyState, 'expires_at'>, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Whether the key opens anything now. */
export const isUsable = (key: KeyState, now: Date): boolean => getStatus(key) === 'active' && !isExpired(key, now);

/**
 * What an action does to a key. Doing again what is done already changes nothing.
 *
 * - A revoked key never changes again. Revoking it once more succeeds, so that a lost answer can be asked for again.
 * - An expired key can be disabled and revoked; it cannot be enabled or rotated, since that would look like life.
 * - The owner lets go of the owner's own disabling only: what an administrator or the deactivation of the entry disabled is restored by them, and an
 *   administrator does not undo what the owner did.
 * - Only an active key is rotated.
 *
 * @throws Refusal conflict with the reason
 */
export function computeChange(key: KeyState, action: KeyAction, now: Date): KeyChange {
  if (action === 'revoke') return key.revoked_at === null ? { revoked_at: now.toISOString() } : {};
  if (key.revoked_at !== null) throwConflict('this key is revoked, which is permanent; create another one');
  switch (action) {
    case 'disable':
      return key.disabled_by_owner ? {} : { disabled_by_owner: true };
    case 'disable as administrator':
      return key.disabled_by_administrator ? {} : { disabled_by_administrator: true };
    case 'enable':
      rejectExpired(key, now);
      rejectDisabledByOthers(key, 'owner');
      return key.disabled_by_owner ? { disabled_by_owner: false } : {};
    case 'enable as administrator':
      rejectExpired(key, now);
      if (!key.disabled_by_administrator) rejectDisabledByOthers(key, 'administrator');
      return key.disabled_by_administrator ? { disabled_by_administrator: false } : {};
    case 'rotate':
      rejectExpired(key, now);
      if (getStatus(key) === 'disabled') throwConflict('this key is disabled; enable it before it is rotated');
      return {};
  }
}

const DISABLED_REASONS: Record<DisabledBy, string> = {
  owner: 'its owner disabled this key; only its owner can enable it again',
  administrator: 'an administrator disabled this key; only an administrator can enable it again',
  deactivation: 'this key is disabled because the directory entry of its owner is not active',
};

function rejectDisabledByOthers(key: KeyState, own: DisabledBy): void {
  const [other] = getDisabledBy(key).filter((who) => who !== own);
  if (other !== undefined) throwConflict(DISABLED_REASONS[other]);
}

function rejectExpired(key: KeyState, now: Date): void {
  if (isExpired(key, now)) throwConflict('this key has expired; create another one');
}

function throwConflict(reason: string): never {
  throw new Refusal('conflict', reason);
}

/** When a key ends. @param ttlSeconds 0, like none, means never */
export const computeExpiry = (now: Date, ttlSeconds = 0): string | null =>
  ttlSeconds === 0 ? null : new Date(now.getTime() + ttlSeconds * 1_000).toISOString();

/** The secrets of a key, as their hashes. */
export interface KeySecrets {
  secret_hash: Buffer;
  previous_hash: Buffer | null;
  previous_valid_until: string | null;
}

/** The secrets after a rotation: the one that was current works until the grace is over, the one before it ends now. */
export const rotateSecrets = (key: Pick<KeySecrets, 'secret_hash'>, next: Buffer, now: Date): KeySecrets => ({
  secret_hash: next,
  previous_hash: key.secret_hash,
  previous_valid_until: new Date(now.getTime() + ROTATION_GRACE_MS).toISOString(),
});

/**
 * What a rotation remembers of its request. A repeat would throw away the secret that nobody has seen yet, and with it the last one that somebody has: it is
 * refused, while the old secret goes on working.
 * @throws Refusal conflict when this rotation was done already
 */
export function recordIdempotencyKey(done: readonly string[], request: string | undefined): string[] {
  if (request === undefined) return [...done];
  if (done.includes(request)) {
    throwConflict(
      'Idempotency-Key: this rotation was done already and its secret cannot be shown again; the secret before it works for 24 hours after the rotation: create another key, or rotate again with a new Idempotency-Key, which ends the secret before',
    );
  }
  return [request, ...done].slice(0, MAX_IDEMPOTENCY_KEYS);
}
