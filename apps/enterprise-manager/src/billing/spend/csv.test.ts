import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatCsvLine } from './csv.ts';

/** A strict reader of RFC 4180. */
function readLine(text: string): string[] {
  const fields: string[] = [];
  let rest = text;
  for (;;) {
    const [whole, quoted, plain = ''] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest) ?? ['', undefined, ''];
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (rest === '\r\n') return fields;
    if (!rest.startsWith(',')) throw new Error(`no CSV at ${JSON.stringify(rest)}`);
    rest = rest.slice(1);
  }
}

/** Removes the apostrophe before a formula character. */
const removeGuard = (field: string): string => (/^'+[=+\-@\t\r＝＋－＠]/u.test(field) ? field.slice(1) : field);

describe('formatCsvLine', () => {
  it('writes any fields so that a reader returns the same fields', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (fields) => {
        expect(readLine(formatCsvLine(fields)).map(removeGuard)).toEqual(fields);
      }),
    );
  });

  it.each(['=1+1', '+49 30 1', '-2', '@sum', '\t=1', '\r=1', '＝1'])(
    'adds an apostrophe to %j, so that it is not a formula',
    (key) => {
      expect(readLine(formatCsvLine([key]))).toEqual([`'${key}`]);
    },
  );

  it("writes '=1 and =1 differently", () => {
    expect(readLine(formatCsvLine(["'=1", '=1', "o'neil", "'quoted'"]))).toEqual(["''=1", "'=1", "o'neil", "'quoted'"]);
  });

  it.each(['alice', 'partners/bob', 'a.b@example.com', 'claude-sonnet-5', '0.000000001', '2026-01-31'])(
    'does not change %s',
    (text) => {
      expect(formatCsvLine([text])).toBe(`${text}\r\n`);
    },
  );
});
