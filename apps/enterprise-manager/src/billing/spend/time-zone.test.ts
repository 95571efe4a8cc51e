import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getDateInZone, addDays, isTimeZone, startOfDate } from './time-zone.ts';

const start = (zone: string, date: string) => startOfDate(zone, date).toISOString();

describe('startOfDate', () => {
  it('uses the offset of the zone, also of half and quarter hours', () => {
    expect(start('UTC', '2026-03-01')).toBe('2026-03-01T00:00:00.000Z');
    expect(start('Europe/Berlin', '2026-03-29')).toBe('2026-03-28T23:00:00.000Z');
    expect(start('Europe/Berlin', '2026-03-30')).toBe('2026-03-29T22:00:00.000Z');
    expect(start('Asia/Kolkata', '2026-03-01')).toBe('2026-02-28T18:30:00.000Z');
    expect(start('Asia/Kathmandu', '2026-03-01')).toBe('2026-02-28T18:15:00.000Z');
    expect(start('Pacific/Kiritimati', '2026-03-01')).toBe('2026-02-28T10:00:00.000Z');
    expect(start('America/Los_Angeles', '2026-11-02')).toBe('2026-11-02T08:00:00.000Z');
  });

  it('is later than midnight if the clocks change at midnight', () => {
    expect(start('Asia/Beirut', '2026-03-29')).toBe('2026-03-28T22:00:00.000Z');
    expect(getDateInZone('Asia/Beirut', new Date('2026-03-28T21:59:59.999Z'))).toBe('2026-03-28');
  });

  it('separates two dates in every zone', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const days = fc.integer({ min: 15_000, max: 25_000 });
    fc.assert(
      fc.property(zone, days, (name, day) => {
        const date = addDays('1970-01-01', day);
        const first = startOfDate(name, date);
        // A zone that crossed the date line skipped a date.
        expect(getDateInZone(name, first) >= date).toBe(true);
        expect(getDateInZone(name, new Date(first.getTime() - 1)) < date).toBe(true);
      }),
    );
  });
});

describe('isTimeZone', () => {
  it('accepts names of the IANA database and refuses offsets', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'america/new_york'])
      expect(isTimeZone(name)).toBe(true);
    for (const name of ['', '+01:00', 'Mars/Olympus', 'Europe', 'Europe/Berlin ', '../etc/passwd', 'CEST'])
      expect(isTimeZone(name)).toBe(false);
  });
});

describe('the formatters of time zones', () => {
  const original = Intl.DateTimeFormat;
  let made = 0;
  beforeAll(() => {
    Intl.DateTimeFormat = new Proxy(original, {
      construct: (target, args: ConstructorParameters<typeof original>) => {
        made += 1;
        return new target(...args);
      },
    });
  });
  afterAll(() => {
    Intl.DateTimeFormat = original;
  });

  it('are shared by all spellings of a name', () => {
    // No other test of this file uses this alias.
    for (const name of ['US/Samoa', 'us/samoa', 'US/SAMOA', 'uS/sAmOa']) expect(isTimeZone(name)).toBe(true);
    expect(made).toBe(1);
  });
});
