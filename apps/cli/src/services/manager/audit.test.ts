import { describe, expect, it } from '@jest/globals';
import { parseInstant } from './audit.ts';

const now = new Date('2026-11-21T12:00:00Z');

describe('the time of a flag', () => {
  it.each([
    ['24h', '2026-11-20T12:00:00.000Z'],
    ['1m30s', '2026-11-21T11:58:30.000Z'],
    ['0', '2026-11-21T12:00:00.000Z'],
    ['2026-11-20T08:00:00+02:00', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ])('%s is %s', (text, instant) => expect(parseInstant('--from', text, now)).toBe(instant));

  it.each(['', 'yesterday', '1', '2026', '2026-13-01', '2026-11-20T08:00:00', '20/11/2026'])('cannot be %j', (text) =>
    expect(() => parseInstant('--from', text, now)).toThrow('--from must be a time'),
  );
});
