import { Refusal } from '@gatehouse/service-kit/refusal';

/** How long the old secret works after a rotation: 24 hours. */
export const GRACE_MS = 24 * 60 * 60 * 1_000;

/** Keys that one person may have at a time; revoked and expired ones do not count. */
export const MAX_KEYS = 100;

/** Idempotency keys of rotations that a key remembers. */
export const REMEMBERED_ROTATIONS = 20;

/** What a key may do. */
export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** Who keeps a key disabled; each only lets go of its own. */
export type Disabler = 'owner' | 'administrator' | 'deactivation';

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
export const disablersOf = (key: KeyState): Disabler[] =>
  (['owner', 'administrator', 'deactivation'] as const).filter((who) => key[`disabled_by_${who}`]);

/** The status that clients see. Expiry is no status: `expires_at` says it. */
export const statusOf = (key: KeyState): KeyStatus => {
  if (key.revoked_at !== null) return 'revoked';
  return disablersOf(key).length > 0 ? 'disabled' : 'active';
};

/** Whether the key's time is over; the last instant does not belong to it. */
export const isExpired = ({ expires_at }: Pick<KeyState, 'expires_at'>, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Whether the key opens anything now. */
export const isUsable = (key: KeyState, now: Date): boolean => statusOf(key) === 'active' && !isExpired(key, now);

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
export function changeOf(key: KeyState, action: KeyAction, now: Date): KeyChange {
  if (action === 'revoke') return key.revoked_at === null ? { revoked_at: now.toISOString() } : {};
  if (key.revoked_at !== null) conflict('this key is revoked, which is permanent; create another one');
  switch (action) {
    case 'disable':
      return key.disabled_by_owner ? {} : { disabled_by_owner: true };
    case 'disable as administrator':
      return key.disabled_by_administrator ? {} : { disabled_by_administrator: true };
    case 'enable':
      refuseExpired(key, now);
      refuseOthers(key, 'owner');
      return key.disabled_by_owner ? { disabled_by_owner: false } : {};
    case 'enable as administrator':
      refuseExpired(key, now);
      if (!key.disabled_by_administrator) refuseOthers(key, 'administrator');
      return key.disabled_by_administrator ? { disabled_by_administrator: false } : {};
    case 'rotate':
      refuseExpired(key, now);
      if (statusOf(key) === 'disabled') conflict('this key is disabled; enable it before it is rotated');
      return {};
  }
}

const WHO: Record<Disabler, string> = {
  owner: 'its owner disabled this key; only its owner can enable it again',
  administrator: 'an administrator disabled this key; only an administrator can enable it again',
  deactivation: 'this key is disabled because the directory entry of its owner is not active',
};

function refuseOthers(key: KeyState, mine: Disabler): void {
  const [other] = disablersOf(key).filter((who) => who !== mine);
  if (other !== undefined) conflict(WHO[other]);
}

function refuseExpired(key: KeyState, now: Date): void {
  if (isExpired(key, now)) conflict('this key has expired; create another one');
}

function conflict(reason: string): never {
  throw new Refusal('conflict', reason);
}

/** When a key ends. @param ttlSeconds 0, like none, means never */
export const expiryOf = (now: Date, ttlSeconds = 0): string | null =>
  ttlSeconds === 0 ? null : new Date(now.getTime() + ttlSeconds * 1_000).toISOString();

/** The secrets of a key, as their hashes. */
export interface KeySecrets {
  secret_hash: Buffer;
  previous_hash: Buffer | null;
  previous_valid_until: string | null;
}

/** The secrets after a rotation: the one that was current works until the grace is over, the one before it ends now. */
export const rotated = (key: Pick<KeySecrets, 'secret_hash'>, next: Buffer, now: Date): KeySecrets => ({
  secret_hash: next,
  previous_hash: key.secret_hash,
  previous_valid_until: new Date(now.getTime() + GRACE_MS).toISOString(),
});

/**
 * What a rotation remembers of its request. A repeat would throw away the secret that nobody has seen yet, and with it the last one that somebody has: it is
 * refused, while the old secret goes on working.
 * @throws Refusal conflict when this rotation was done already
 */
export function rememberRotation(done: readonly string[], request: string | undefined): string[] {
  if (request === undefined) return [...done];
  if (done.includes(request)) {
    conflict(
      'Idempotency-Key: this rotation was done already and its secret cannot be shown again; the secret before it works for 24 hours after the rotation: create another key, or rotate again with a new Idempotency-Key, which ends the secret before',
    );
  }
  return [request, ...done].slice(0, REMEMBERED_ROTATIONS);
}
