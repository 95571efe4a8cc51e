import { describe, expect, it } from '@jest/globals';
import { isUnavailable } from './unavailable.ts';

const withCode = (code: string) => Object.assign(new Error('it failed'), { code });

describe('isUnavailable', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    [
      'a connection that all addresses of a host refuse',
      Object.assign(new AggregateError([withCode('ECONNREFUSED')]), {}),
    ],
    ['a broken connection', new Error('Connection terminated unexpectedly')],
    [
      'a connection that broke before its transaction began',
      new Error('Query runner already released. Cannot run queries anymore.'),
    ],
    ['no free connection in time', new Error('timeout exceeded when trying to connect')],
    ['a cancelled statement', withCode('57014')],
    ['a server that starts or shuts down', withCode('57P03')],
    ['a connection exception of Postgres', withCode('08006')],
    ['a deadlock', withCode('40P01')],
  ])('is true for %s', (_, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a unique violation', withCode('23505')],
    ['a syntax error', withCode('42601')],
    ['a statement that needs another state', Object.assign(withCode('55000'), { routine: 'currval_oid' })],
    ['a programming error', new TypeError('x is not a function')],
    ['undefined', undefined],
    ['a string', 'Connection terminated'],
  ])('is false for %s', (_, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
