import { afterEach, describe, expect, it } from '@jest/globals';
import { readUsd, writeUsd } from '@gatehouse/money/usd';
import { eventually } from '@gatehouse/testing/eventually';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { FULL_USAGE, createAdmission, createPrincipal, stopAdmissions } from './admission.fixture.ts';

const nextTurn = () => new Promise(setImmediate);

/** Creates an admission that knows the prices, with a lease of 0.2 USD. */
async function createLeased(limit?: string) {
  const scene = createAdmission();
  scene.manager.limit = limit === undefined ? undefined : readUsd(limit);
  const first = await scene.admit();
  scene.manager.settle(String(first.reservationId), 0n, false);
  first.finish(undefined);
  await nextTurn();
  const second = await scene.admit();
  second.finish(undefined);
  scene.log.length = 0;
  return { ...scene, leaseId: String(second.reservationId) };
}

afterEach(stopAdmissions);

const failure = (name: string) => expect.objectContaining({ failure: name });

describe('LeasedAdmission within a lease', () => {
  it('admits without a call, in the name of the lease', async () => {
    const { admitNow, leaseId, log } = await createLeased('100');
    const attempts = Array.from({ length: 10 }, () => admitNow());
    expect(attempts.map((attempt) => attempt?.reservationId)).toEqual(Array.from({ length: 10 }, () => leaseId));
    expect(log).toEqual([]);
  });

  it('asks for twenty times the estimate', async () => {
    const { manager } = await createLeased('100');
    expect(writeUsd(manager.reserved)).toBe('0.200000000');
  });

  it('gives back the difference between the estimate and the charge', async () => {
    const { admission, admitNow, manager } = await createLeased('100');
    for (let count = 0; count < 15; count += 1) admitNow()?.finish({ prompt_tokens: 1_000, completion_tokens: 0 });
    await admission.stop();
    expect(writeUsd(manager.reserved)).toBe('0.015000000');
  });

  it('takes a charge above the estimate from the rest and then admits nothing', async () => {
    const { admitNow } = await createLeased('0.2');
    admitNow()?.finish({ prompt_tokens: 1_000_000, completion_tokens: 0 });
    expect(admitNow()).toBeUndefined();
  });

  it('counts an attempt once however often it is finished', async () => {
    const { admission, admitNow, manager } = await createLeased('100');
    const attempt = admitNow();
    expect(attempt?.finish(FULL_USAGE)).toBe(readUsd('0.01'));
    expect(attempt?.finish(FULL_USAGE)).toBeUndefined();
    await admission.stop();
    expect(writeUsd(manager.reserved)).toBe('0.010000000');
  });

  it('renews the lease before it is used up', async () => {
    const { admitNow, log } = await createLeased('100');
    for (let count = 0; count < 16; count += 1) expect(admitNow()).toBeDefined();
    await eventually(() => log.includes('lease'), 'another lease is requested');
    await nextTurn();
    for (let count = 0; count < 16; count += 1) expect(admitNow()).toBeDefined();
  });

  it('renews the lease before it ends', async () => {
    const { admitNow, clock, log, leaseId, admission } = await createLeased('100');
    for (let second = 0; second < 240; second += 5) {
      clock.advance(5_000);
      expect(admitNow()).toBeDefined();
      admission.sweep();
      await nextTurn();
    }
    expect(log.filter((name) => name === 'lease').length).toBeGreaterThanOrEqual(2);
    expect(admitNow()?.reservationId).not.toBe(leaseId);
  });

  it('admits nothing after the end of the budget window', async () => {
    const scene = createAdmission();
    scene.manager.limit = readUsd('100');
    scene.manager.windowEnd = scene.clock.now().getTime() + 30_000;
    await scene.admit();
    await nextTurn();
    await scene.admit();
    expect(scene.admitNow()).toBeDefined();
    scene.clock.advance(29_500);
    expect(scene.admitNow()).toBeUndefined();
  });

  it('returns the lease when the version of the key changes', async () => {
    const { admit, admission, manager, leaseId, log } = await createLeased('100');
    manager.keyVersion = 2;
    const attempt = await admit({ principal: createPrincipal(2) });
    expect(attempt.reservationId).not.toBe(leaseId);
    admission.sweep();
    await eventually(() => log.includes('return'), 'the lease is returned');
    expect(manager.held.get(leaseId)?.isReturned).toBe(true);
  });

  it('returns the lease of a forgotten principal at once', async () => {
    const { admission, manager, log } = await createLeased('100');
    admission.forget('key:k');
    await eventually(() => log.includes('return'), 'the lease is returned');
    expect(manager.reserved).toBe(0n);
  });

  it('returns the lease of an idle principal', async () => {
    const { admission, clock, manager, log } = await createLeased('100');
    clock.advance(10_000);
    admission.sweep();
    await eventually(() => log.includes('return'), 'the lease is returned');
    expect(manager.reserved).toBe(0n);
  });

  it('waits for running attempts of a closed lease for half a minute', async () => {
    const { admission, admitNow, clock, manager, log } = await createLeased('100');
    const attempt = admitNow();
    admission.forget('key:k');
    admission.sweep();
    expect(log).toEqual([]);
    clock.advance(30_000);
    admission.sweep();
    await eventually(() => log.includes('return'), 'the lease is returned');
    expect(writeUsd(manager.reserved)).toBe('0.010000000');
    attempt?.finish(FULL_USAGE);
  });

  it('notices a new budget of an unlimited principal', async () => {
    const { admitNow, admission, clock, manager } = await createLeased();
    manager.limit = readUsd('0.001');
    clock.advance(10_000);
    expect(admitNow()).toBeDefined();
    admission.sweep();
    await nextTurn();
    expect(admitNow()).toBeUndefined();
  });
});

describe('LeasedAdmission without a sufficient lease', () => {
  it('admits single attempts and reports an exhausted budget', async () => {
    const { admit, manager } = createAdmission();
    manager.limit = readUsd('0.025');
    await admit();
    await admit();
    await expect(admit()).rejects.toEqual(failure('budget_exceeded'));
    await expect(admit()).rejects.toEqual(expect.objectContaining({ message: 'no', reason: 'budget_exhausted' }));
  });

  it('returns a lease that is too small before a single admission', async () => {
    const { admit, manager } = await createLeased('100');
    manager.limit = readUsd('0.25');
    const attempt = await admit({ estimate: { promptTokens: 1_000, maxOutputTokens: 22_000 } });
    expect(String(attempt.reservationId)).toMatch(/^interaction-/);
    expect(writeUsd(manager.reserved)).toBe('0.221000000');
  });

  it('returns a lease that ends at once', async () => {
    const { admit, manager, clock, log } = await createLeased('100');
    manager.windowEnd = clock.now().getTime() + 500;
    const attempt = await admit({ principal: createPrincipal(2) });
    expect(String(attempt.reservationId)).toMatch(/^interaction-/);
    expect(log).toEqual(['lease', 'return', 'admit']);
  });

  it('asks the enterprise manager about a model without a price', async () => {
    const { admit, log } = await createLeased('100');
    await expect(admit({ model: 'unknown' })).rejects.toEqual(
      expect.objectContaining({ failure: 'denied', reason: 'unpriceable' }),
    );
    expect(log).toEqual(['admit']);
  });

  it('admits a free model when the budget is exhausted', async () => {
    const { admit, manager } = await createLeased('100');
    manager.limit = 0n;
    await expect(admit({ principal: createPrincipal(2), model: 'free' })).resolves.toBeDefined();
    await expect(admit({ principal: createPrincipal(2) })).rejects.toEqual(failure('budget_exceeded'));
    await expect(admit({ principal: createPrincipal(2), model: 'free' })).resolves.toBeDefined();
  });

  it.each(['no_budget', 'key_inactive', 'principal_inactive'] as const)('hides the reason %s', async (reason) => {
    const { admit, manager } = createAdmission();
    manager.denial = reason;
    await expect(admit()).rejects.toEqual(expect.objectContaining({ failure: 'denied', message: 'no', reason }));
  });

  it('remembers a denial for a second at most', async () => {
    const { admit, manager, clock, log } = createAdmission();
    manager.limit = 0n;
    for (let count = 0; count < 100; count += 1) await expect(admit()).rejects.toEqual(failure('budget_exceeded'));
    expect(log).toEqual(['admit']);
    manager.limit = readUsd('1');
    clock.advance(1_000);
    await expect(admit()).resolves.toBeDefined();
  });

  it('decides a burst of denied attempts by a few calls', async () => {
    const { admit, manager, log } = createAdmission();
    manager.limit = 0n;
    const errors = await Promise.all(Array.from({ length: 500 }, () => admit().catch((error: unknown) => error)));
    expect(errors).toEqual(errors.map(() => failure('budget_exceeded')));
    expect(log.length).toBeLessThanOrEqual(32);
  });

  it('asks again for a smaller attempt after a denial', async () => {
    const { admit, manager } = createAdmission();
    manager.limit = readUsd('0.005');
    await expect(admit()).rejects.toEqual(failure('budget_exceeded'));
    await expect(admit({ estimate: { promptTokens: 1_000, maxOutputTokens: 100 } })).resolves.toBeDefined();
  });

  it('computes the charge of an attempt that was admitted by itself', async () => {
    const { admit, manager } = createAdmission();
    manager.limit = readUsd('1');
    const attempt = await admit();
    await nextTurn();
    expect(attempt.finish(FULL_USAGE)).toBe(readUsd('0.01'));
  });

  it('extends the reservation of a running attempt', async () => {
    const { admit, admission, manager, clock, log } = createAdmission();
    manager.limit = readUsd('1');
    const attempt = await admit();
    clock.advance(601_000);
    admission.sweep();
    await eventually(() => log.includes('extend'), 'the reservation is extended');
    clock.advance(600_000);
    expect(writeUsd(manager.reserved)).toBe('0.010000000');
    attempt.finish(undefined);
    log.length = 0;
    admission.sweep();
    expect(log).not.toContain('extend');
  });

  it('admits at most 1,024 waiting calls of a principal', async () => {
    const { admit, manager } = createAdmission();
    let open = () => {};
    manager.before = () => new Promise<void>((resolve) => (open = resolve));
    const calls = Array.from({ length: 1_024 }, () => admit().catch(() => undefined));
    await expect(admit()).rejects.toEqual(failure('rate_limited'));
    manager.before = () => undefined;
    open();
    expect(calls).toHaveLength(1_024);
  });

  it('requests one lease for calls at the same time', async () => {
    const { admit, log } = await createLeased('100');
    const other = { principal: createPrincipal(1, 'other') };
    const attempts = await Promise.all(Array.from({ length: 10 }, () => admit(other)));
    expect(new Set(attempts.map(({ reservationId }) => reservationId)).size).toBe(1);
    expect(log).toEqual(['lease']);
  });
});

describe('LeasedAdmission without an answer of the enterprise manager', () => {
  const reset = () => {
    throw new Error('connection reset');
  };

  it('repeats a lease request whose answer was lost, with the same content', async () => {
    const { admit, manager } = await createLeased('100');
    let failures = 0;
    manager.after = (name) => {
      if (name === 'lease' && (failures += 1) < 3) reset();
    };
    await admit({ principal: createPrincipal(1, 'other') });
    expect(writeUsd(manager.reserved)).toBe('0.400000000');
  });

  it('admits within leases for a minute and then nothing', async () => {
    const { admit, admitNow, admission, manager, clock } = await createLeased('100');
    manager.before = reset;
    await eventually(async () => {
      const error = await admit({ principal: createPrincipal(1, 'other') }).catch((thrown: unknown) => thrown);
      return (error as { failure?: string }).failure === 'unavailable';
    }, 'the manager is away');
    clock.advance(59_000);
    admission.sweep();
    expect(admitNow()).toBeDefined();
    clock.advance(1_000);
    await expect(admit()).rejects.toEqual(expect.objectContaining({ failure: 'unavailable', retryAfterMs: 1_000 }));
  });

  it('admits without a reservation in the failure mode Open', async () => {
    const { admit, manager } = createAdmission(undefined, undefined, { timeoutMs: 1_000, failureMode: 'Open' });
    manager.before = reset;
    expect((await admit()).reservationId).toBeUndefined();
  });

  it('does not admit what the enterprise manager denies in the failure mode Open', async () => {
    const { admit, manager } = createAdmission(undefined, undefined, { timeoutMs: 1_000, failureMode: 'Open' });
    manager.limit = 0n;
    await expect(admit()).rejects.toEqual(failure('budget_exceeded'));
  });

  it('sends one ping at a time until the enterprise manager answers again', async () => {
    const { admit, manager, log } = createAdmission();
    manager.before = reset;
    await Promise.all(Array.from({ length: 50 }, () => expect(admit()).rejects.toEqual(failure('unavailable'))));
    log.length = 0;
    for (let count = 0; count < 50; count += 1) await expect(admit()).rejects.toEqual(failure('unavailable'));
    expect(log.filter((name) => name !== 'ping')).toEqual([]);
    manager.before = () => undefined;
    await eventually(() => admit().catch(() => undefined), 'attempts are admitted again');
  });

  it('takes silence as no answer', async () => {
    const { admit, manager } = createAdmission(undefined, undefined, { timeoutMs: 30, failureMode: 'Closed' });
    manager.before = () => new Promise(() => undefined);
    await expect(admit()).rejects.toEqual(failure('unavailable'));
    manager.before = () => undefined;
    await eventually(() => admit().catch(() => undefined), 'attempts are admitted again');
  });

  it.each([401, 403, 500, 503])('takes the status %p as no answer', async (status) => {
    const { admit, manager, admission } = createAdmission();
    manager.before = () => {
      throw new ManagerError(status, 'refused');
    };
    await expect(admit()).rejects.toEqual(failure('unavailable'));
    await admission.stop();
  });

  it('returns a lease that may have been granted', async () => {
    const { admit, admission, manager, clock } = await createLeased('100');
    manager.after = (name) => {
      if (name === 'lease') reset();
    };
    await expect(admit({ principal: createPrincipal(1, 'other') })).rejects.toEqual(failure('unavailable'));
    expect(writeUsd(manager.reserved)).toBe('0.400000000');
    manager.after = () => undefined;
    await eventually(async () => {
      clock.advance(10_000);
      admission.sweep();
      await nextTurn();
      return manager.reserved === 0n;
    }, 'both leases are returned');
  });
});
