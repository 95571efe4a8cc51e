import { describe, expect, it } from '@jest/globals';
import { allowsHost, type EgressPolicy, findRefusal, normalizeHost } from './egress-policy.ts';

const policy = (part: Partial<EgressPolicy> = {}): EgressPolicy => ({
  allowAll: false,
  hosts: [],
  ports: [],
  allowGateway: false,
  ...part,
});
const isAllowed = (rules: Partial<EgressPolicy>, host: string, port = 443) =>
  findRefusal(policy(rules), { host, port }) === undefined;

describe('normalizeHost', () => {
  it.each([
    ['Example.COM.', 'example.com'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['[::FFFF:127.0.0.1]', '::ffff:7f00:1'],
    ['::1', '::1'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['_srv.example.com', '_srv.example.com'],
  ])('gives %s the form %s', (text, host) => expect(normalizeHost(text)).toBe(host));

  it.each([
    '',
    '.',
    'a@b.example',
    'a/b',
    'a b',
    'a?b',
    'a#b',
    'a\\b',
    'a%00b',
    'a\r\nb',
    'a..b',
    'x'.repeat(64),
    '1:2',
  ])('refuses %j', (text) => expect(normalizeHost(text)).toBeUndefined());
});

describe('the rules of a permission profile', () => {
  it('allow no host when they name neither hosts nor ports', () => {
    expect(isAllowed({}, 'example.com')).toBe(false);
    expect(allowsHost(policy(), 'example.com')).toBe(false);
  });

  it.each([
    ['example.com', 'example.com', true],
    ['example.com', 'a.example.com', false],
    ['example.com', 'notexample.com', false],
    ['.example.com', 'example.com', true],
    ['.example.com', 'a.b.example.com', true],
    ['.example.com', 'notexample.com', false],
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'notexample.com', false],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.10', false],
  ])('with the host %s decide for %s: %s', (pattern, host, expected) =>
    expect(isAllowed({ hosts: [pattern] }, host)).toBe(expected),
  );

  it('require the host and the port where both are named', () => {
    const rules = { hosts: ['example.com'], ports: [443] };
    expect([isAllowed(rules, 'example.com', 443), isAllowed(rules, 'example.com', 80)]).toEqual([true, false]);
    expect(isAllowed(rules, 'other.example', 443)).toBe(false);
  });

  it('with ports alone allow every host on them', () => {
    expect([isAllowed({ ports: [443] }, 'a.example'), isAllowed({ ports: [443] }, 'a.example', 80)]).toEqual([
      true,
      false,
    ]);
  });

  it('allow the gateway of the engine with its flag only, on every port', () => {
    const open = { allowAll: true, hosts: ['host.docker.internal'] };
    expect(isAllowed(open, 'host.docker.internal')).toBe(false);
    expect(isAllowed({ ports: [443], allowGateway: true }, 'gateway.docker.internal', 1)).toBe(true);
    expect(isAllowed({ ports: [443], allowGateway: true }, 'example.com', 1)).toBe(false);
  });
});
