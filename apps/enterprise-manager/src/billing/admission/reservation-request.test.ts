import { describe, expect, it } from '@jest/globals';
import type { Candidate } from '../budgets/payer.ts';
import { PERIODS, type Period } from '../budgets/period.ts';
import type { Principal } from '../budgets/principals.repository.ts';
import { type ReservationRequest, createReservation, computeContentHash } from './reservation-request.ts';

type RequestOf<Kind extends ReservationRequest['kind']> = Extract<ReservationRequest, { kind: Kind }>;

const USER = { issuer: 'https://issuer.example.com', subject: 'ada' };
const PRINCIPAL: Principal = {
  ...USER,
  subject_id: 'ada',
  user_id: undefined,
  groups: [],
  virtual_key_id: undefined,
  key_version: 0,
  state: 'active',
  candidates: [],
};
const LEASE: RequestOf<'lease'> = {
  kind: 'lease',
  id: 'lease',
  body: { lease_id: 'lease', gateway_id: 'local', principal: USER, amount_usd: 1n, ttl_seconds: 3_600 },
};
const REQUEST: RequestOf<'request'> = {
  kind: 'request',
  id: 'request',
  body: {
    interaction_id: 'i',
    attempt: 1,
    gateway_id: 'local',
    principal: USER,
    provider: 'openai',
    requested_model: 'm',
    model: 'm',
    route: '/v1/chat/completions',
    estimate: { prompt_tokens: 1 },
  },
};

/** Returns the end of a reservation of one hour whose payer has limits of some periods. */
function computeExpiry(request: ReservationRequest, at: string, ...periods: Period[]): string {
  const payer: Candidate = {
    scope: 'user',
    subject_id: 'ada',
    limits: periods.map((period) => ({ period, limit: 10n })),
  };
  const grant = { payer: periods.length === 0 ? undefined : payer, amount: 1n, catalogId: 'c', seconds: 3_600 };
  return createReservation(request, PRINCIPAL, { ...grant, at: new Date(at) }).expires_at.toISOString();
}

describe('the end of a lease', () => {
  it('is at most the end of the first window of its payer', () => {
    expect(computeExpiry(LEASE, '2026-05-05T23:30:00.000Z', 'day')).toBe('2026-05-06T00:00:00.000Z');
    expect(computeExpiry(LEASE, '2026-05-05T23:30:00.000Z', 'month', 'year')).toBe('2026-05-06T00:30:00.000Z');
    expect(computeExpiry(LEASE, '2026-05-31T23:59:59.999Z', 'month', 'year')).toBe('2026-06-01T00:00:00.000Z');
    expect(computeExpiry(LEASE, '2026-12-31T23:30:00.000Z', 'year')).toBe('2027-01-01T00:00:00.000Z');
    expect(computeExpiry(LEASE, '2026-12-31T22:30:00.000Z', ...PERIODS)).toBe('2026-12-31T23:30:00.000Z');
    expect(computeExpiry(LEASE, '2026-12-31T23:30:00.000Z')).toBe('2027-01-01T00:30:00.000Z');
  });
});

describe('the end of a request', () => {
  it('can be in the next window, because its usage counts in the window of its admission', () => {
    expect(computeExpiry(REQUEST, '2026-12-31T23:30:00.000Z', ...PERIODS)).toBe('2027-01-01T00:30:00.000Z');
  });
});

describe('computeContentHash', () => {
  const { body } = REQUEST;
  const hashChanged = (changed: Partial<typeof body>) =>
    computeContentHash({ ...REQUEST, body: { ...body, ...changed } });

  it('does not depend on the order of fields', () => {
    const { estimate, ...rest } = body;
    expect(computeContentHash({ ...REQUEST, body: { estimate, ...rest } })).toBe(computeContentHash(REQUEST));
  });

  it('depends on each part of the content', () => {
    const hashes = [
      computeContentHash(REQUEST),
      hashChanged({ gateway_id: 'other' }),
      hashChanged({ principal: { ...USER, subject: 'bob' } }),
      hashChanged({ principal: { virtual_key_id: 'ada' } }),
      hashChanged({ provider: 'azure' }),
      hashChanged({ requested_model: 'n' }),
      hashChanged({ model: 'n' }),
      hashChanged({ route: '/v1/responses' }),
      hashChanged({ estimate: { prompt_tokens: 2 } }),
      hashChanged({ estimate: { prompt_tokens: 1, max_output_tokens: 0 } }),
      computeContentHash(LEASE),
      computeContentHash({ ...LEASE, body: { ...LEASE.body, amount_usd: 2n } }),
      computeContentHash({ ...LEASE, body: { ...LEASE.body, ttl_seconds: 1 } }),
      computeContentHash({ ...LEASE, body: { ...LEASE.body, share_percent: 25 } }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
