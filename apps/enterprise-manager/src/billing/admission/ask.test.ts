import { describe, expect, it } from '@jest/globals';
import type { Candidate } from '../budgets/payer.ts';
import { PERIODS, type Period } from '../budgets/period.ts';
import type { Principal } from '../budgets/principals.repository.ts';
import { type Ask, contentHashOf, reservationOf } from './ask.ts';
type AskOf<Kind extends Ask['kind']> = Extract<Ask, { kind: Kind }>;

const PERSON = { issuer: 'https://issuer.example.com', subject: 'ada' };
const PRINCIPAL: Principal = {
  ...PERSON,
  subject_id: 'ada',
  user_id: undefined,
  groups: [],
  virtual_key_id: undefined,
  key_version: 0,
  state: 'active',
  candidates: [],
};
const LEASE: AskOf<'lease'> = {
  kind: 'lease',
  id: 'lease',
  request: { lease_id: 'lease', gateway_id: 'local', principal: PERSON, amount_usd: 1n, ttl_seconds: 3_600 },
};
const REQUEST: AskOf<'request'> = {
  kind: 'request',
  id: 'request',
  request: {
    interaction_id: 'i',
    attempt: 1,
    gateway_id: 'local',
    principal: PERSON,
    provider: 'openai',
    requested_model: 'm',
    model: 'm',
    route: '/v1/chat/completions',
    estimate: { prompt_tokens: 1 },
  },
};

/**
 * Until when something that is granted at a time for an hour holds, for a payer with limits of some
 * periods.
 */
function endOf(ask: Ask, at: string, ...periods: Period[]): string {
  const payer: Candidate = {
    scope: 'user',
    subject_id: 'ada',
    limits: periods.map((period) => ({ period, limit: 10n })),
  };
  const grant = { payer: periods.length === 0 ? undefined : payer, amount: 1n, catalogId: 'c', seconds: 3_600 };
  return reservationOf(ask, PRINCIPAL, { ...grant, at: new Date(at) }).expires_at.toISOString();
}

describe('a lease', () => {
  it('ends with the first window that limits its payer: nothing is reserved for it in the next one', () => {
    expect(endOf(LEASE, '2026-05-05T23:30:00.000Z', 'day')).toBe('2026-05-06T00:00:00.000Z');
    expect(endOf(LEASE, '2026-05-05T23:30:00.000Z', 'month', 'year')).toBe('2026-05-06T00:30:00.000Z');
    expect(endOf(LEASE, '2026-05-31T23:59:59.999Z', 'month', 'year')).toBe('2026-06-01T00:00:00.000Z');
    expect(endOf(LEASE, '2026-12-31T23:30:00.000Z', 'year')).toBe('2027-01-01T00:00:00.000Z');
    expect(endOf(LEASE, '2026-12-31T22:30:00.000Z', ...PERIODS)).toBe('2026-12-31T23:30:00.000Z');
    expect(endOf(LEASE, '2026-12-31T23:30:00.000Z')).toBe('2027-01-01T00:30:00.000Z');
  });
});

describe('a request', () => {
  it('holds as long as it may, also into the next window, since it counts in that of its admission', () => {
    expect(endOf(REQUEST, '2026-12-31T23:30:00.000Z', ...PERIODS)).toBe('2027-01-01T00:30:00.000Z');
  });
});

describe('the content hash of an ask', () => {
  const { request } = REQUEST;
  const hashOf = (changed: Partial<typeof request>) =>
    contentHashOf({ ...REQUEST, request: { ...request, ...changed } });

  it('is the same for a repeat, whatever the order of its members', () => {
    const { estimate, ...rest } = request;
    expect(contentHashOf({ ...REQUEST, request: { estimate, ...rest } })).toBe(contentHashOf(REQUEST));
  });

  it('differs with each part of the content', () => {
    const hashes = [
      contentHashOf(REQUEST),
      hashOf({ gateway_id: 'other' }),
      hashOf({ principal: { ...PERSON, subject: 'bob' } }),
      hashOf({ principal: { virtual_key_id: 'ada' } }),
      hashOf({ provider: 'azure' }),
      hashOf({ requested_model: 'n' }),
      hashOf({ model: 'n' }),
      hashOf({ route: '/v1/responses' }),
      hashOf({ estimate: { prompt_tokens: 2 } }),
      hashOf({ estimate: { prompt_tokens: 1, max_output_tokens: 0 } }),
      contentHashOf(LEASE),
      contentHashOf({ ...LEASE, request: { ...LEASE.request, amount_usd: 2n } }),
      contentHashOf({ ...LEASE, request: { ...LEASE.request, ttl_seconds: 1 } }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
