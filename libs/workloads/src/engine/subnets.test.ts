import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { WorkloadError } from '../errors/workload-error.ts';
import { DEFAULT_NETWORK_RANGES, listFreeSubnets, parseNetworkRanges } from './subnets.ts';

describe('parseNetworkRanges', () => {
  it('parses one or more blocks; empty text selects the default', () => {
    expect(parseNetworkRanges(' 10.9.0.0/16, 192.168.77.0/24')).toEqual(['10.9.0.0/16', '192.168.77.0/24']);
    expect(parseNetworkRanges(undefined)).toBe(DEFAULT_NETWORK_RANGES);
    expect(parseNetworkRanges('')).toBe(DEFAULT_NETWORK_RANGES);
    expect(parseNetworkRanges(DEFAULT_NETWORK_RANGES.join())).toEqual(DEFAULT_NETWORK_RANGES);
  });

  it.each([
    'x',
    '10.0.0.0',
    '10.0.0.0/7',
    '10.0.0.0/29',
    '10.0.0.1/16',
    '10.0/16',
    'fd00::/64',
    '10.0.0.0/16,,',
    '0x0a.0.0.0/8',
    '010.0.0.0/8',
  ])('refuses %s and names the variable', (text) => {
    const act = () => parseNetworkRanges(text);
    expect(act).toThrow(WorkloadError);
    expect(act).toThrow(/^GATEHOUSE_NETWORK_RANGE /);
  });
});

describe('listFreeSubnets', () => {
  it('yields every /28 of a range once', () => {
    const all = [...listFreeSubnets(['10.9.0.0/24'], [], 5)];
    expect(all[0]).toBe('10.9.0.80/28');
    expect(all).toHaveLength(16);
    expect(new Set(all).size).toBe(16);
  });

  it('skips subnets that overlap a larger, equal or smaller network or route', () => {
    const used = ['10.9.0.0/25', '10.9.0.128/28', '10.9.0.147/32', 'fd00::/8', '192.168.0.0/16'];
    expect([...listFreeSubnets(['10.9.0.0/24'], used, 0)]).toEqual(
      [160, 176, 192, 208, 224, 240].map((last) => `10.9.0.${last}/28`),
    );
  });

  it('continues with the next range when a route covers the first one, and ignores a split default route', () => {
    const used = ['0.0.0.0/0', '0.0.0.0/1', '128.0.0.0/1', '10.0.0.0/8'];
    expect([...listFreeSubnets(['10.9.0.0/24', '192.168.7.0/28'], used, 3)]).toEqual(['192.168.7.0/28']);
  });

  it('never yields a subnet that overlaps a used one', () => {
    const octet = fc.nat(255);
    const cidr = fc
      .tuple(octet, octet, fc.integer({ min: 16, max: 32 }))
      .map(([c, d, bits]) => `10.9.${c}.${d}/${bits}`);
    fc.assert(
      fc.property(fc.array(cidr, { maxLength: 20 }), fc.nat(), (used, seed) => {
        const offered = [...listFreeSubnets(['10.9.0.0/16'], used, seed)];
        expect(new Set([...listFreeSubnets(['10.9.0.0/16'], [...used, ...offered], seed)]).size).toBe(0);
        for (const one of used) expect(offered).not.toContain(one.replace(/\/.*/, '/28'));
      }),
      { numRuns: 50 * effort },
    );
  });
});
