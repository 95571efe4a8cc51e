import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@gatehouse/service-kit/refusal';
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

/** Every state of a key: who keeps it disabled (o, a, d), r for revoked, e for expired. */
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

/** `=`: nothing changes; `409`: refused; else the letters of the state after it. */
const outcome = (key: KeyState, action: KeyAction): string => {
  try {
    const change = computeChange(key, action, NOW);
    if (Object.keys(change).length === 0) return '=';
    const after = { ...key, ...change };
    const letters = getDisabledBy(after).map((who) => who.charAt(0));
    if (after.revoked_at !== null) letters.push('r');
    if (after.expires_at === NOW.toISOString()) letters.push('e');
    return letters.join('') || '-';
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'conflict') return '409';
    throw error;
  }
};

/** Written by hand, for every state that is neither revoked nor expired. */
const TABLE: Record<string, Record<KeyAction, string>> = {
  '-': row('o', '=', 'r', '=', 'a', '='),
  o: row('=', '-', 'or', '409', 'oa', '409'),
  a: row('oa', '409', 'ar', '409', '=', '-'),
  oa: row('=', '409', 'oar', '409', '=', 'o'),
  d: row('od', '409', 'dr', '409', 'ad', '409'),
  od: row('=', '409', 'odr', '409', 'oad', '409'),
  ad: row('oad', '409', 'adr', '409', '=', 'd'),
  oad: row('=', '409', 'oadr', '409', '=', 'od'),
};

function row(
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

describe('the states of a key', () => {
  it.each(states)('answer every action in the state $name', ({ name, key }) => {
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
          : withExpiry(plain?.[action] ?? '', expired);
      expect([action, outcome(key, action)]).toEqual([action, expected]);
    }
  });

  it.each(states)('open something only where nothing speaks against it: $name', ({ name, key }) => {
    expect(isUsable(key, NOW)).toBe(name === '-');
    expect(getStatus(key)).toBe(name.includes('r') ? 'revoked' : /[oad]/.test(name) ? 'disabled' : 'active');
  });

  it('end at their expiry to the millisecond, and never without one', () => {
    expect(isUsable({ ...ACTIVE, expires_at: LATER }, NOW)).toBe(true);
    expect(isUsable({ ...ACTIVE, expires_at: NOW.toISOString() }, NOW)).toBe(false);
    expect(isUsable(ACTIVE, new Date('9999-01-01T00:00:00Z'))).toBe(true);
  });

  it('say who keeps the key from being enabled', () => {
    const by = (who: object) => () => computeChange({ ...ACTIVE, ...who }, 'enable', NOW);
    expect(by({ disabled_by_administrator: true })).toThrow(/an administrator disabled this key/);
    expect(by({ disabled_by_deactivation: true })).toThrow(/directory entry of its owner is not active/);
    expect(() => computeChange({ ...ACTIVE, disabled_by_owner: true }, 'enable as administrator', NOW)).toThrow(
      /only its owner/,
    );
  });
});

/** A state that the hand-written table names, in its expired form. */
function withExpiry(state: string, expired: boolean): string {
  if (!expired || state === '=' || state === '409') return state;
  return state === '-' ? 'e' : `${state}e`;
}

describe('a rotation', () => {
  it('keeps the newest old secret alone, for 24 hours', () => {
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

  it('is refused when its request was answered already, also after others', () => {
    let done = recordIdempotencyKey([], 'a');
    done = recordIdempotencyKey(done, undefined);
    done = recordIdempotencyKey(done, 'b');
    expect(done).toEqual(['b', 'a']);
    expect(() => recordIdempotencyKey(done, 'a')).toThrow(/Idempotency-Key/);
  });

  it('does not remember without end', () => {
    let done: string[] = [];
    for (let n = 0; n < 100; n += 1) done = recordIdempotencyKey(done, String(n));
    expect(done).toEqual(Array.from({ length: MAX_IDEMPOTENCY_KEYS }, (_, n) => String(99 - n)));
  });
});

describe('the life of a key', () => {
  it('has no end where none is given, and with 0 seconds', () => {
    expect([computeExpiry(NOW), computeExpiry(NOW, 0)]).toEqual([null, null]);
    expect(computeExpiry(NOW, 1)).toBe('2026-01-02T03:04:06.000Z');
  });
});
