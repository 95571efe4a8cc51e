import { describe, expect, it } from '@jest/globals';
import { mergeMounts } from './merge-mounts.ts';

const mount = (origin: string, source: string, readOnly: boolean, target = '/t') => ({
  ...{ origin, source, target, readOnly },
});

describe('mergeMounts', () => {
  it('keeps mounts at different targets, also within each other', () => {
    const mounts = [mount('read.0', '/a', true, '/t'), mount('read.1', '/b', true, '/t/u')];
    expect(mergeMounts(mounts, [mount('-v', '/c', false, '/v')])).toHaveLength(3);
  });

  it('makes a path writable that a profile reads and writes', () =>
    expect(mergeMounts([mount('read.0', '/a', true), mount('write.0', '/a', false)], [])).toEqual([
      mount('write.0', '/a', false),
    ]));

  it('accepts a volume that the profile declares too, as exported configurations have it', () =>
    expect(mergeMounts([mount('read.0', '/a', true)], [mount('-v', '/a', true)])).toEqual([mount('-v', '/a', true)]));

  it.each([
    ['two sources of a profile', [mount('read.0', '/a', true), mount('read.1', '/b', true)], []],
    ['a profile and a volume', [mount('read.0', '/a', true)], [mount('-v', '/b', true)]],
    ['a profile that reads and a volume that writes', [mount('read.0', '/a', true)], [mount('-v', '/a', false)]],
    ['a profile that writes and a volume that reads', [mount('write.0', '/a', false)], [mount('-v', '/a', true)]],
    ['two volumes', [], [mount('-v', '/a', true), mount('-v', '/b', true)]],
  ])('refuses one target for %s', (_, profile, volumes) =>
    expect(() => mergeMounts(profile, volumes)).toThrow(/mounts \/[ab] at \/t/),
  );
});
