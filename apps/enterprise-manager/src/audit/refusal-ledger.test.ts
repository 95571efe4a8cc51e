import { describe, expect, it } from '@jest/globals';
import { RefusalLedger } from './refusal-ledger.ts';

const call = (subject: string, operation = 'Delete group', requestId = 'r') => ({
  issuer: 'https://issuer.test',
  subject,
  requestId,
  operation,
  object_id: null,
});
const bounds = { burst: 3, perSecond: 1, callers: 2 };

describe('the ledger of refusals', () => {
  it('gives every refusal at an ordinary pace its line', () => {
    const ledger = new RefusalLedger(bounds);
    for (let second = 0; second < 100; second += 1) expect(ledger.note(call('a'), second * 1_000)).toBe('line');
    expect(ledger.take()).toEqual([]);
  });

  it('counts what comes faster, and keeps the first of what it counts', () => {
    const ledger = new RefusalLedger(bounds);
    const told = Array.from({ length: 1_000 }, (_, n) => ledger.note(call('a', 'Delete group', `r${n}`), 0));
    expect(told.filter((one) => one === 'line')).toHaveLength(3);
    expect(ledger.take()).toEqual([{ call: call('a', 'Delete group', 'r3'), occurrences: 997 }]);
    expect(ledger.take()).toEqual([]);
  });

  it('always gives the first refusal of an operation its line, however much went before', () => {
    const ledger = new RefusalLedger(bounds);
    for (let n = 0; n < 50; n += 1) ledger.note(call('a'), 0);
    expect(ledger.note(call('a', 'Delete user'), 0)).toBe('line');
    expect(ledger.note(call('a', 'Delete user'), 0)).toBe('counted');
    ledger.take();
    expect(ledger.note(call('a', 'Delete user'), 0)).toBe('line');
  });

  it('never lets one caller use up the lines of another', () => {
    const ledger = new RefusalLedger(bounds);
    for (let n = 0; n < 50; n += 1) ledger.note(call('loud'), 0);
    expect([1, 2, 3].map(() => ledger.note(call('quiet'), 0))).toEqual(['line', 'line', 'line']);
  });

  it('loses no count when it forgets a caller, and remembers no more of them than it may', () => {
    const ledger = new RefusalLedger(bounds);
    for (const subject of ['a', 'b', 'c', 'd']) for (let n = 0; n < 5; n += 1) ledger.note(call(subject), 0);
    const taken = ledger.take();
    expect(taken.map((counted) => [counted.call.subject, counted.occurrences])).toEqual([
      ['a', 2],
      ['b', 2],
      ['c', 2],
      ['d', 2],
    ]);
  });

  it('is not fooled by a clock that goes back', () => {
    const ledger = new RefusalLedger(bounds);
    for (let n = 0; n < 5; n += 1) ledger.note(call('a'), 1_000_000);
    expect(ledger.note(call('a'), 0)).toBe('counted');
    expect(ledger.note(call('a'), 500)).toBe('counted');
    expect(ledger.note(call('a'), 1_000)).toBe('line');
  });
});
