import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classifyAddress } from './address.ts';

describe('classifyAddress', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fc00::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['fec0::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:a00:1', 'private'],
    ['::10.0.0.1', 'private'],
    ['::ffff:0:10.0.0.1', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['2002:a00:1::', 'private'],
    ['2001:db8:1::5efe:a00:1', 'forbidden'],
    ['2606:4700::5efe:a00:1', 'private'],
    ['2606:4700::200:5efe:a00:1', 'private'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['0.0.0.0', 'forbidden'],
    ['0.1.2.3', 'forbidden'],
    ['::', 'forbidden'],
    ['::ffff:0.0.0.0', 'forbidden'],
    ['169.254.169.254', 'forbidden'],
    ['169.254.1.1', 'forbidden'],
    ['::ffff:169.254.169.254', 'forbidden'],
    ['::169.254.169.254', 'forbidden'],
    ['64:ff9b::a9fe:a9fe', 'forbidden'],
    ['2002:a9fe:a9fe::', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fe80::5efe:808:808', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['fd00:ec2::23', 'forbidden'],
    ['fd20:ce::254', 'forbidden'],
    ['100.100.100.200', 'forbidden'],
    ['192.0.0.192', 'forbidden'],
    ['168.63.129.16', 'forbidden'],
    ['::ffff:168.63.129.16', 'forbidden'],
    ['64:ff9b:1::a00:1', 'forbidden'],
    ['64:ff9b:1:a00:1::', 'forbidden'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['240.0.0.1', 'forbidden'],
    ['192.0.2.1', 'forbidden'],
    ['2001:db8::1', 'forbidden'],
    ['100::1', 'forbidden'],
    ['3fff::1', 'forbidden'],
    ['5f00::1', 'forbidden'],
    ['2001:20::1', 'forbidden'],
    ['4000::1', 'forbidden'],
    ['1000::1', 'forbidden'],
    ['::2:0:1', 'forbidden'],
    ['e000::1', 'forbidden'],
    ['192.88.99.1', 'forbidden'],
    ['198.18.0.1', 'forbidden'],
    ['192.0.0.8', 'forbidden'],
    ['', 'forbidden'],
    ['127.1', 'forbidden'],
    ['0177.0.0.1', 'forbidden'],
    ['2130706433', 'forbidden'],
    ['mcp.example.com', 'forbidden'],
  ])('classifies %s as %s', (address, expected) => {
    expect(classifyAddress(address)).toBe(expected);
  });

  it('never gives a less restricted class to an IPv4 address inside IPv6', () => {
    const order = ['public', 'private', 'loopback', 'forbidden'];
    const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
    fc.assert(
      fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
        const plain = classifyAddress([a, b, c, d].join('.'));
        const tail = `${hex(a, b)}:${hex(c, d)}`;
        const wrapped = [`::ffff:${tail}`, `64:ff9b::${tail}`, `2002:${tail}::`, `2606:4700::5efe:${tail}`];
        for (const form of wrapped)
          expect(order.indexOf(classifyAddress(form))).toBeGreaterThanOrEqual(order.indexOf(plain));
      }),
    );
  });
});
