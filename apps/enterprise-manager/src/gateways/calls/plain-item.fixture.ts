import { expect } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { ZodType } from 'zod';

const texts = (...lengths: readonly number[]): string[] => lengths.map((length) => 'a'.repeat(length));

/** Values near the border of what members of gateways' items may be. */
const BORDERS: readonly unknown[] = [
  ...[null, true, false, {}, [], '', ' ', 'ä', '\n', '\u007f', '\u2028', '𝄞', '\ud834'],
  ...[0, -0, 1, -1, 1.5, 999, 1_000, 1e9, 1e9 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e300],
  ...['1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ...['2026-02-30T00:00:00.000Z', '2026-01-31T24:00:00.000Z', '2026-01-31T09:00:00+01:00', 'x'],
  ...['+012026-01-31T09:00:00Z', '2026-01-31t09:00:00.000z', 'Sat, 31 Jan 2026 09:00 Z'],
  ...[
    '01890A5D-AC96-774B-BCCE-B302099A8057',
    '01890a5dac96774bbcceb302099a8057',
    '01890a5d-ac96-774b-bcce-b302099a8057 ',
  ],
  ...texts(63, 64, 65, 255, 256, 257, 320, 321, 512, 513, 2_048, 2_049),
];

/** A check of usual items, and what it must agree with. */
export interface PlainCheck {
  /** An item that it takes, with every member that there can be. */
  usual: object;
  isPlain: (item: unknown) => boolean;
  schema: ZodType;
  /** Further values near the border of what members of this item may be. */
  borders: readonly unknown[];
}

/**
 * @throws for an item that the check takes and the schema refuses or changes, and where hardly any
 * is taken
 */
export function expectSchemaTakesWhatIsPlain({ usual, isPlain, schema, borders }: PlainCheck): void {
  const values = [...BORDERS, ...borders];
  const names = [...Object.keys(usual), 'more'];
  let taken = 0;
  const judge = (item: object): void => {
    if (!isPlain(item)) return;
    taken += 1;
    expect(schema.safeParse(item)).toEqual({ success: true, data: item });
  };
  for (const name of names) for (const value of values) judge({ ...usual, [name]: value });
  const name = fc.constantFrom(...names);
  const value = fc.oneof(
    fc.constantFrom(...values),
    fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, value), { maxLength: 2 }),
      fc.array(name, { maxLength: 1 }),
      (others, without) => {
        const members = Object.entries({ ...usual, ...Object.fromEntries(others) });
        judge(Object.fromEntries(members.filter(([member]) => !without.includes(member))));
      },
    ),
    { numRuns: 5_000 * effort },
  );
  expect(taken).toBeGreaterThan(500);
}
