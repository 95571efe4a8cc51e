import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ModelCallError } from '../formats/model-call-error.ts';
import { CallRates } from './call-rates.ts';

describe('CallRates', () => {
  let rates: CallRates;

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    rates = new CallRates();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const catchError = async (work: Promise<unknown>): Promise<ModelCallError> => {
    const error: unknown = await work.catch((cause: unknown) => cause);
    if (error instanceof ModelCallError) return error;
    throw new Error('the call was not refused');
  };

  describe('countRequest', () => {
    const limits = { requestsPerMinutePerPrincipal: 3 };
    const send = (id = 'key:a') => rates.countRequest(id, limits);

    it('refuses more requests until the end of the minute of the caller', async () => {
      await send();
      await jest.advanceTimersByTimeAsync(10_000);
      await send();
      await send();
      const error = await catchError(send());
      expect(error).toMatchObject({
        failure: 'rate_limited',
        retryAfterMs: 50_000,
        reason: 'requests_per_minute_per_principal',
      });
      await jest.advanceTimersByTimeAsync(49_999);
      expect(await catchError(send())).toMatchObject({ retryAfterMs: 1 });
      await jest.advanceTimersByTimeAsync(1);
      await send();
    });

    it('counts each caller by itself', async () => {
      for (let call = 0; call < 3; call += 1) await send();
      await send('key:b');
      await catchError(send());
    });

    it('admits exactly the limit of requests that arrive at the same time', async () => {
      const results = await Promise.allSettled(Array.from({ length: 50 }, () => send()));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    });

    it('applies a changed limit at once', async () => {
      for (let call = 0; call < 3; call += 1) await send();
      await rates.countRequest('key:a', { requestsPerMinutePerPrincipal: 4 });
      await catchError(rates.countRequest('key:a', { requestsPerMinutePerPrincipal: 2 }));
    });

    it('counts nothing without a limit', async () => {
      for (let call = 0; call < 100; call += 1) await rates.countRequest('key:a', {});
      await send();
    });
  });

  describe('countTokens', () => {
    const limits = { tokensPerMinutePerPrincipal: 100 };
    const send = (estimate: number) => rates.countTokens('key:a', limits, estimate);

    it('refuses a prompt that does not fit into the rest of the minute, and counts nothing of it', async () => {
      await send(60);
      expect(await catchError(send(41))).toMatchObject({ failure: 'rate_limited', retryAfterMs: 60_000 });
      await send(40);
      await catchError(send(1));
      await jest.advanceTimersByTimeAsync(60_000);
      await send(100);
    });

    it('corrects the estimate by the usage', async () => {
      const less = await send(60);
      less?.correct(10);
      const more = await send(60);
      more?.correct(90);
      await catchError(send(1));
    });

    it('counts the answer of a call in the minute in which it ends', async () => {
      const long = await send(10);
      await jest.advanceTimersByTimeAsync(60_000);
      long?.correct(70);
      await catchError(send(41));
      await send(40);
    });

    it('gives nothing back to a later minute', async () => {
      const long = await send(90);
      await jest.advanceTimersByTimeAsync(60_000);
      await send(100);
      long?.correct(0);
      await catchError(send(1));
    });

    it('admits a prompt above the limit alone in its minute', async () => {
      const large = await send(1_000);
      await catchError(send(1));
      large?.correct(1_000);
      await catchError(send(1_000));
      await jest.advanceTimersByTimeAsync(60_000);
      await send(1_000);
    });

    it('admits at most the limit of prompts that arrive at the same time', async () => {
      const results = await Promise.allSettled(Array.from({ length: 50 }, () => send(30)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    });

    it('counts nothing without a limit', async () => {
      expect(await rates.countTokens('key:a', {}, 10)).toBeUndefined();
    });
  });

  it('forgets callers at the end of their minute', async () => {
    for (let call = 0; call < 1_000; call += 1)
      await rates.countRequest(`key:${call}`, { requestsPerMinutePerPrincipal: 1 });
    expect(jest.getTimerCount()).toBe(1_000);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});
