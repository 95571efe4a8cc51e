import { describe, expect, it } from '@jest/globals';
import { CallerRateLimit } from './caller-rate-limit.ts';

const alice = { issuer: 'https://id.example.test', subject: 'alice' };

describe('CallerRateLimit', () => {
  it('refuses the requests of one caller beyond the limit, and no other caller', async () => {
    const limit = new CallerRateLimit(2);
    const findStatus = async (caller: typeof alice) => (await limit.findError(caller))?.status;
    expect([await findStatus(alice), await findStatus(alice), await findStatus(alice)]).toEqual([
      undefined,
      undefined,
      429,
    ]);
    for (const other of [
      { ...alice, subject: 'bob' },
      { ...alice, issuer: 'https://other.example.test' },
    ])
      expect(await findStatus(other)).toBeUndefined();
  });

  it('says when the next request can succeed', async () => {
    const limit = new CallerRateLimit(1);
    await limit.findError(alice);
    const error = await limit.findError(alice);
    expect(error?.retryAfterMs).toBeGreaterThan(0);
    expect(error?.retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});
