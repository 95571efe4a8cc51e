import { describe, expect, it } from '@jest/globals';
import { listTransparentPorts, MAX_TRANSPARENT_PORTS } from './egress-ports.ts';

describe('the ports of transparent listeners', () => {
  it('are those of HTTP and of the profile, without those of the egress part itself', () => {
    expect(listTransparentPorts({ ports: [5432, 53, 3128, 443, 5432] })).toEqual([80, 443, 5432]);
  });

  it('are few, also for a profile that names all ports', () => {
    const ports = Array.from({ length: 65_535 }, (_, at) => at + 1);
    const served = listTransparentPorts({ ports });
    expect(served).toHaveLength(MAX_TRANSPARENT_PORTS);
    expect(served.slice(0, 3)).toEqual([80, 443, 1]);
  });
});
