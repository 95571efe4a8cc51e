import { describe, expect, it } from '@jest/globals';
import { parseDayRange } from './spend-flags.ts';

const now = new Date('2026-11-21T12:00:00Z');

describe('the range of figures by day', () => {
  it('keeps days, because the manager applies the time zone', () =>
    expect(parseDayRange({ from: '2026-11-01', to: '2026-12-01' }, now)).toEqual({
      from: '2026-11-01',
      to: '2026-12-01',
    }));

  it('accepts times and durations before now', () =>
    expect(parseDayRange({ from: '24h', to: '2026-11-21T10:00:00+02:00' }, now)).toEqual({
      from: '2026-11-20T12:00:00.000Z',
      to: '2026-11-21T08:00:00.000Z',
    }));

  it.each([
    [{ from: '2026-13-01' }, '--from must be a time'],
    [{ to: 'monday' }, '--to must be a time'],
  ])('names the flag of %j', (flags, sentence) => expect(() => parseDayRange(flags, now)).toThrow(sentence));
});
