import { HttpError } from '@gatehouse/service-kit/http-error';

/** Grace period of the previous secret after a rotation: 24 hours. */
export const ROTATION_GRACE_MS = 24 * 60 * 60 * 1_000;

/** Maximum number of keys of one user; revoked and expired keys do not count. */
export const MAX_KEYS = 100;

/** Number of Idempotency-Keys of rotations that are stored with a key. */
export const MAX_IDEMPOTENCY_KEYS = 20;

/** The status of a key. Expiry is not a status. */
export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** A reason why a key is disabled; each is set and cleared separately. */
export type DisabledBy = 'owner' | 'administrator' | 'deactivation';

/** The state of a key. Times are RFC 3339 in UTC. A key is disabled while any reason is set. */
export interface KeyState {
  disabled_by_owner: boolean;
  disabled_by_administrator: boolean;
  disabled_by_deactivation: boolean;
  revoked_at: string | null;
  expires_at: string | null;
}

/** An action on a key. The owner does those without `as administrator`. */
export type KeyAction =
  'disable' | 'enable' | 'revoke' | 'rotate' | 'disable as administrator' | 'enable as administrator';

/** The columns that an action changes; empty when the key is already in the requested state. */
export type KeyChange = Partial<Pick<KeyState, 'disabled_by_owner' | 'disabled_by_administrator' | 'revoked_at'>>;

/** The reasons why the key is disabled. */
export const getDisabledBy = (key: KeyState): DisabledBy[] =>
  (['owner', 'administrator', 'deactivation'] as const).filter((reason) => key[`disabled_by_${reason}`]);

/** The status that clients see; expiry is shown by `expires_at` instead. */
export const getStatus = (key: KeyState): KeyStatus => {
  if (key.revoked_at !== null) return 'revoked';
  return getDisabledBy(key).length > 0 ? 'disabled' : 'active';
};

/** Whether the key has expired; it is expired at `expires_at` itself. */
export const isExpired = ({ expires_at }: Pick<KeyState, 'expires_at'>, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Whether a gateway may accept the key now. */
export const isUsable = (key: KeyState, now: Date): boolean => getStatus(key) === 'active' && !isExpired(key, now);

/**
 * Computes what an action changes. Repeating an action changes nothing.
 *
 * - A revoked key never changes. Revoking it again succeeds, so that clients can retry.
 * - An expired key can be disabled and revoked. It cannot be enabled or rotated, because it would
 *   still be unusable.
 * - Owners and administrators can only undo what they disabled themselves. The activation of the
 *   owner's directory entry undoes its deactivation.
 * - Only an active key can be rotated.
 *
 * @throws HttpError conflict with the reason
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
  const [other] = getDisabledBy(key).filter((reason) => reason !== own);
  if (other !== undefined) throwConflict(DISABLED_REASONS[other]);
}

function rejectExpired(key: KeyState, now: Date): void {
  if (isExpired(key, now)) throwConflict('this key has expired; create another one');
}

function throwConflict(reason: string): never {
  throw new HttpError('conflict', reason);
}

/** Returns the expiry of a key; null for none. @param ttlSeconds 0 means no expiry */
export const computeExpiry = (now: Date, ttlSeconds = 0): string | null =>
  ttlSeconds === 0 ? null : new Date(now.getTime() + ttlSeconds * 1_000).toISOString();

/** The hashes of a key's current and previous secret. */
export interface KeySecrets {
  secret_hash: Buffer;
  previous_hash: Buffer | null;
  previous_valid_until: string | null;
}

/** Makes `next` the current secret. The old current secret becomes the previous one. */
export const rotateSecrets = (key: Pick<KeySecrets, 'secret_hash'>, next: Buffer, now: Date): KeySecrets => ({
  secret_hash: next,
  previous_hash: key.secret_hash,
  previous_valid_until: new Date(now.getTime() + ROTATION_GRACE_MS).toISOString(),
});

/**
 * Adds the Idempotency-Key of a rotation to the stored ones. A repeated rotation is refused: if the
 * response with the new secret was lost, a second rotation would end the client's last secret.
 * @throws HttpError conflict when this rotation was already done
 */
export function recordIdempotencyKey(done: readonly string[], request: string | undefined): string[] {
  if (request === undefined) return [...done];
  if (done.includes(request)) {
    throwConflict(
      'Idempotency-Key: this rotation was already done and its secret cannot be shown again; the previous secret stays valid for 24 hours after the rotation; create another key, or rotate again with a new Idempotency-Key, which ends the previous secret',
    );
  }
  return [request, ...done].slice(0, MAX_IDEMPOTENCY_KEYS);
}
