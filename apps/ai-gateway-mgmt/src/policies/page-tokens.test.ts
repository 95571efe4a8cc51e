import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import fc from 'fast-check';
import { PageTokens } from './page-tokens.ts';

const MINUTE_MS = 60_000;
const caller = { issuer: 'https://id.example.test', issuerId: 'oidc', subject: 'alice' } as Caller;
const filters = { labelSelector: 'a=b', gatewayRef: undefined };

function createPageTokens(key = 'k'.repeat(32)) {
  const time = { at: Date.UTC(2026, 0, 1) };
  const clock = Object.assign(new Clock(), { now: () => new Date(time.at) });
  return { time, tokens: new PageTokens(new CursorCodec(key), clock) };
}

describe('PageTokens', () => {
  it('opens what it sealed, for 15 minutes', () => {
    const { time, tokens } = createPageTokens();
    const token = tokens.seal('policy-a', filters, caller);
    time.at += 15 * MINUTE_MS;
    expect(tokens.open(token, filters, caller)).toBe('policy-a');
    time.at += 1;
    expect(() => tokens.open(token, filters, caller)).toThrow('has expired');
  });

  it('refuses a token of other filters, of another caller and of another issuer', () => {
    const { tokens } = createPageTokens();
    const token = tokens.seal('policy-a', filters, caller);
    const refusal = { status: 400, code: 'invalid_page_token', violations: [{ field: '/pageToken' }] };
    for (const [usedFilters, user] of [
      [{ ...filters, labelSelector: undefined }, caller],
      [{ ...filters, gatewayRef: 'gateway-a' }, caller],
      [filters, { ...caller, subject: 'bob' }],
      [filters, { ...caller, issuer: 'https://other.example.test' }],
    ] as const)
      expect(readError(() => tokens.open(token, usedFilters, user))).toMatchObject(refusal);
    const foreign = createPageTokens('x'.repeat(32)).tokens.seal('policy-a', filters, caller);
    expect(readError(() => tokens.open(foreign, filters, caller))).toMatchObject(refusal);
  });

  it('refuses every other text with its machine code', () => {
    const { tokens } = createPageTokens();
    fc.assert(
      fc.property(fc.string({ maxLength: 3_000 }), (text) => {
        expect(readError(() => tokens.open(text, filters, caller))).toMatchObject({ code: 'invalid_page_token' });
      }),
    );
  });
});

function readError(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
