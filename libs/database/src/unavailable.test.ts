import { describe, expect, it } from '@jest/globals';
import { isUnavailable } from './unavailable.ts';

const withCode = (code: string) => Object.assign(new Error('it failed'), { code });

describe('a failed query', () => {
  it.each([
    ['a refused dial', withCode('ECONNREFUSED')],
    ['a dial refused by every address', Object.assign(new AggregateError([withCode('ECONNREFUSED')]), {})],
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    [
      'one that broke before its transaction began',
      new Error('Query runner already released. Cannot run queries anymore.'),
    ],
    ['no free connection in time', new Error('timeout exceeded when trying to connect')],
    ['an ended statement', withCode('57014')],
    ['a server that starts or stops', withCode('57P03')],
    ['a connection failure that Postgres names', withCode('08006')],
    ['a deadlock', withCode('40P01')],
  ])('may succeed later after %s', (_, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a duplicate', withCode('23505')],
    ['a syntax error', withCode('42601')],
    ['a state that a statement needs and is not there', Object.assign(withCode('55000'), { routine: 'currval_oid' })],
    ['a mistake of our own', new TypeError('x is not a function')],
    ['nothing', undefined],
    ['text', 'Connection terminated'],
  ])('never succeeds after %s', (_, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
