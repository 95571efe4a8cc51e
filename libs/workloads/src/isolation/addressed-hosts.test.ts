import { describe, expect, it } from '@jest/globals';
import { findAddressOf, findHostOf, listAddressedHosts } from './addressed-hosts.ts';

const createPolicy = (hosts: string[], ports: number[], more = {}) => ({
  ...{ allowAll: false, hosts, ports, allowGateway: false },
  ...more,
});

describe('listAddressedHosts', () => {
  it.each([
    ['two names', ['a.test', 'b.test'], [5432], {}, ['a.test', 'b.test']],
    ['a name beside a wildcard', ['a.test', '.b.test'], [5432], {}, ['a.test']],
    ['a name beside the machine', ['a.test'], [5432], { allowGateway: true }, ['a.test', 'host.docker.internal']],
    ['one name', ['a.test'], [5432], {}, []],
    ['one name beside an address', ['a.test', '192.0.2.1'], [5432], {}, []],
    ['only ports of HTTP', ['a.test', 'b.test'], [80, 443], {}, []],
    ['every port', ['a.test', 'b.test'], [], {}, []],
    ['everything', ['a.test', 'b.test'], [5432], { allowAll: true }, []],
  ])('with %s', (_, hosts, ports, more, expected) => {
    expect(listAddressedHosts(createPolicy(hosts, ports, more))).toEqual(expected);
  });

  it('lists at most eight', () => {
    const hosts = Array.from({ length: 20 }, (_, at) => `${at}.test`);
    expect(listAddressedHosts(createPolicy(hosts, [5432]))).toEqual(hosts.slice(0, 8));
  });
});

describe('the address of a host', () => {
  const policy = createPolicy(['a.test', 'b.test', '.c.test'], [5432], { allowGateway: true });
  const hosts = ['a.test', 'b.test', 'host.docker.internal'].flatMap((host, at) =>
    ['10.0.0.14', '10.1.0.14'].map((nameserver) => ({ host, nameserver, address: nameserver.replace('14', `${at}`) })),
  );

  it('is the one that its nameserver knows, and otherwise that of the nameserver', () => {
    expect(findAddressOf(hosts, '10.0.0.14', 'b.test')).toBe('10.0.0.1');
    expect(findAddressOf(hosts, '10.1.0.14', 'b.test')).toBe('10.1.0.1');
    expect(findAddressOf(hosts, '10.0.0.14', 'gateway.docker.internal')).toBe('10.0.0.2');
    expect(findAddressOf(hosts, '10.0.0.14', 'x.c.test')).toBe('10.0.0.14');
  });

  it('leads to this host, and that of the nameserver to none', () => {
    expect(findHostOf(policy, hosts, '10.1.0.1')).toBe('b.test');
    expect(findHostOf(policy, hosts, '10.0.0.14')).toBeUndefined();
  });

  it('is that of the nameserver for the only name of a profile', () => {
    expect(findHostOf(createPolicy(['a.test'], [5432]), [], '10.0.0.14')).toBe('a.test');
    expect(findHostOf(createPolicy(['.a.test'], [5432]), [], '10.0.0.14')).toBeUndefined();
  });
});
