import { describe, expect, it } from '@jest/globals';
import { findAddressRefusal, isInNetworks } from './address-rules.ts';
import type { EgressPolicy } from './egress-policy.ts';

const AROUND = {
  gateways: ['10.231.0.1', '172.17.0.1'],
  machine: ['203.0.113.9', '8.8.4.4'],
  own: ['10.231.0.14'],
  networks: ['10.232.0.16/28'],
};
const refusal = (host: string, address: string, part: Partial<EgressPolicy> = {}) =>
  findAddressRefusal({ allowAll: true, hosts: [], ports: [], allowGateway: false, ...part }, AROUND, host, address);

describe('the addresses of an allowed host', () => {
  it('pass where they are public', () => {
    expect(refusal('example.com', '93.184.216.34')).toBeUndefined();
    expect(refusal('example.com', '192.0.2.1')).toBeUndefined();
    expect(refusal('example.com', '2606:2800:220:1::1')).toBeUndefined();
  });

  it.each([
    '10.0.0.1',
    '172.16.3.4',
    '192.168.1.1',
    '100.64.0.1',
    'fd12::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
    '8.8.4.4',
    '203.0.113.9',
  ])('are private at %s: only an exact host or address of the profile passes', (address) => {
    expect(refusal('db.example', address)).toMatch(/^private/);
    expect(refusal('db.example', address, { hosts: ['.example'] })).toMatch(/^private/);
    expect(refusal('db.example', address, { hosts: ['db.example'] })).toBeUndefined();
    expect(refusal(address, address, { hosts: [address] })).toBeUndefined();
  });

  it.each(['10.0.0.1', '192.168.1.1', 'fd12::1', '8.8.4.4', '169.254.169.254', 'fd00:ec2::254'])(
    'are at %s not open to the rules of a registry, which others write',
    (address) => {
      for (const host of ['db.example', address])
        expect(refusal(host, address, { hosts: [host], isOfRegistry: true })).toContain('--permission-profile FILE');
      expect(refusal('db.example', '93.184.216.34', { hosts: ['db.example'], isOfRegistry: true })).toBeUndefined();
    },
  );

  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '198.18.0.1',
    '240.0.0.1',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fe80::1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
  ])('are metadata at %s: only the address itself in the profile passes', (address) => {
    expect(refusal('metadata.example', address, { hosts: ['metadata.example'] })).toMatch(/^metadata/);
    expect(refusal(address, address, { hosts: [address] })).toBeUndefined();
  });

  it.each(['127.0.0.1', '127.8.0.1', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '10.231.0.14'])(
    'are the egress part itself at %s: never',
    (address) => expect(refusal(address, address, { hosts: [address], allowGateway: true })).toMatch(/^loopback/),
  );

  it.each(['10.232.0.17', '10.232.0.30', '::ffff:10.232.0.18'])(
    'are those of another workload at %s: never',
    (address) =>
      expect(refusal(address, address, { hosts: [address], allowGateway: true })).toBe(
        'address of an isolated network',
      ),
  );

  it.each(['224.0.0.1', 'ff02::1', '255.255.255.255'])('are those of many machines at %s: never', (address) =>
    expect(refusal(address, address, { hosts: [address] })).toMatch(/^(multicast|broadcast)/),
  );

  it.each(['10.231.0.1', '172.17.0.1', '::ffff:172.17.0.1'])('are the gateway at %s: only with its flag', (address) => {
    expect(refusal('x.example', address, { hosts: ['x.example', address] })).toMatch(/--allow-docker-gateway$/);
    expect(refusal(address, address, { allowGateway: true })).toBeUndefined();
  });
});

it('finds the address of a client in the networks of servers', () => {
  const isServer = (address: string) => isInNetworks(['10.231.0.0/28', '10.231.0.16/28'], address);
  expect(['10.231.0.18', '::ffff:10.231.0.2', '10.231.0.33', '172.17.0.1', 'fd00::1'].map(isServer)).toEqual([
    ...[true, true],
    ...[false, false, false],
  ]);
});
