import { describe, expect, it } from '@jest/globals';
import { HttpError } from '@gatehouse/service-kit/http-error';
import {
  computeChange,
  getDisabledBy,
  computeExpiry,
  ROTATION_GRACE_MS,
  isUsable,
  type KeyAction,
  type KeyState,
  MAX_IDEMPOTENCY_KEYS,
  recordIdempotencyKey,
  rotateSecrets,
  getStatus,
} from './key.ts';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const EARLIER = '2026-01-02T03:04:04.999Z';
const LATER = '2026-01-02T03:04:05.001Z';
const ACTIVE: KeyState = {
  disabled_by_owner: false,
  disabled_by_administrator: false,
  disabled_by_deactivation: false,
  revoked_at: null,
  expires_at: null,
};

/** All states: disabled by o(wner), a(dministrator), d(eactivation); r(evoked); e(xpired). */
const states = Array.from({ length: 32 }, (_, bits) => {
  const name = ['o', 'a', 'd', 'r', 'e'].filter((_letter, at) => bits & (1 << at)).join('') || '-';
  const has = (letter: string) => name.includes(letter);
  const key: KeyState = {
    disabled_by_owner: has('o'),
    disabled_by_administrator: has('a'),
    disabled_by_deactivation: has('d'),
    revoked_at: has('r') ? EARLIER : null,
    expires_at: has('e') ? NOW.toISOString() : LATER,
  };
  return { name, key };
});

/** `=` for no change, `409` for a refusal, else the letters of the new state. */
const describeOutcome = (key: KeyState, action: KeyAction): string => {
  try {
    const change = computeChange(key, action, NOW);
    if (Object.keys(change).length === 0) return '=';
    const after = { ...key, ...change };
    const letters = getDisabledBy(after).map((reason) => reason.charAt(0));
    if (after.revoked_at !== null) letters.push('r');
    if (after.expires_at === NOW.toISOString()) letters.push('e');
    return letters.join('') || '-';
  } catch (error) {
    if (error instanceof HttpError && error.kind === 'conflict') return '409';
    throw error;
  }
};

/** The expected outcomes, for all states that are neither revoked nor expired. */
const TABLE: Record<string, Record<KeyAction, string>> = {
  '-': createRow('o', '=', 'r', '=', 'a', '='),
  o: createRow('=', '-', 'or', '409', 'oa', '409'),
  a: createRow('oa', '409', 'ar', '409', '=', '-'),
  oa: createRow('=', '409', 'oar', '409', '=', 'o'),
  d: createRow('od', '409', 'dr', '409', 'ad', '409'),
  od: createRow('=', '409', 'odr', '409', 'oad', '409'),
  ad: createRow('oad', '409', 'adr', '409', '=', 'd'),
  oad: createRow('=', '409', 'oadr', '409', '=', 'od'),
};

function createRow(
  disable: string,
  enable: string,
  revoke: string,
  rotate: string,
  adminDisable: string,
  adminEnable: string,
): Record<KeyAction, string> {
  return {
    disable,
    enable,
    revoke,
    rotate,
    'disable as administrator': adminDisable,
    'enable as administrator': adminEnable,
  };
}

const actions = Object.keys(TABLE['-'] ?? {}) as KeyAction[];

describe('the state of a key', () => {
  it.each(states)('decides every action in state $name', ({ name, key }) => {
    const [revoked, expired] = [name.includes('r'), name.includes('e')];
    const plain = TABLE[name.replace(/[re]/g, '') || '-'];
    for (const action of actions) {
      const dead = expired && (action.includes('enable') || action === 'rotate');
      const expected = revoked
        ? action === 'revoke'
          ? '='
          : '409'
        : dead
          ? '409'
          : addExpiry(plain?.[action] ?? '', expired);
      expect([action, describeOutcome(key, action)]).toEqual([action, expected]);
    }
  });

  it.each(states)('determines status and usability in state $name', ({ name, key }) => {
    expect(isUsable(key, NOW)).toBe(name === '-');
    expect(getStatus(key)).toBe(name.includes('r') ? 'revoked' : /[oad]/.test(name) ? 'disabled' : 'active');
  });

  it('is usable until the exact millisecond of expires_at', () => {
    expect(isUsable({ ...ACTIVE, expires_at: LATER }, NOW)).toBe(true);
    expect(isUsable({ ...ACTIVE, expires_at: NOW.toISOString() }, NOW)).toBe(false);
    expect(isUsable(ACTIVE, new Date('9999-01-01T00:00:00Z'))).toBe(true);
  });

  it('names the reason why a key cannot be enabled', () => {
    const createEnabling = (disabled: object) => () => computeChange({ ...ACTIVE, ...disabled }, 'enable', NOW);
    expect(createEnabling({ disabled_by_administrator: true })).toThrow(/an administrator disabled this key/);
    expect(createEnabling({ disabled_by_deactivation: true })).toThrow(/directory entry of its owner is not active/);
    expect(() => computeChange({ ...ACTIVE, disabled_by_owner: true }, 'enable as administrator', NOW)).toThrow(
      /only its owner/,
    );
  });
});

/** The expired form of a state in the table. */
function addExpiry(state: string, expired: boolean): string {
  if (!expired || state === '=' || state === '409') return state;
  return state === '-' ? 'e' : `${state}e`;
}

describe('rotation', () => {
  it('keeps only the last previous secret, for 24 hours', () => {
    const [first, second, third] = ['1', '2', '3'].map((text) => Buffer.from(text));
    if (!first || !second || !third) throw new Error('three secrets');
    const once = rotateSecrets({ secret_hash: first }, second, NOW);
    expect(once).toEqual({
      secret_hash: second,
      previous_hash: first,
      previous_valid_until: '2026-01-03T03:04:05.000Z',
    });
    const later = new Date(NOW.getTime() + ROTATION_GRACE_MS - 1);
    expect(rotateSecrets(once, third, later)).toEqual({
      secret_hash: third,
      previous_hash: second,
      previous_valid_until: '2026-01-04T03:04:04.999Z',
    });
  });

  it('refuses a repeated Idempotency-Key, also after other rotations', () => {
    let done = recordIdempotencyKey([], 'a');
    done = recordIdempotencyKey(done, undefined);
    done = recordIdempotencyKey(done, 'b');
    expect(done).toEqual(['b', 'a']);
    expect(() => recordIdempotencyKey(done, 'a')).toThrow(/Idempotency-Key/);
  });

  it('stores a limited number of Idempotency-Keys', () => {
    let done: string[] = [];
    for (let n = 0; n < 100; n += 1) done = recordIdempotencyKey(done, String(n));
    expect(done).toEqual(Array.from({ length: MAX_IDEMPOTENCY_KEYS }, (_, n) => String(99 - n)));
  });
});

describe('computeExpiry', () => {
  it('returns null without a lifetime and for 0 seconds', () => {
    expect([computeExpiry(NOW), computeExpiry(NOW, 0)]).toEqual([null, null]);
    expect(computeExpiry(NOW, 1)).toBe('2026-01-02T03:04:06.000Z');
  });
});
