import { describe, expect, it } from '@jest/globals';
import { listPermissionWarnings } from './permission-warnings.ts';

describe('the warnings about a permission profile', () => {
  const warn = (outbound: Record<string, unknown>, isolate_network = true, profile = {}) =>
    listPermissionWarnings({ permission_profile: { network: { outbound }, ...profile }, isolate_network });

  it('name rules that are not enforced, and privilege', () => {
    expect(warn({}, false)).toEqual([expect.stringContaining('are not enforced')]);
    expect(warn({ insecure_allow_all: true }, false)).toEqual([]);
    expect(warn({}, true, { privileged: true })).toEqual([expect.stringContaining('privileged')]);
  });

  it('name more ports than the isolation serves without its proxy', () => {
    const ports = Array.from({ length: 65 }, (_, at) => at + 1);
    expect(warn({ allow_port: ports })).toEqual([expect.stringContaining('at most 64')]);
    expect(warn({ allow_port: ports.slice(1) })).toEqual([]);
    expect(warn({ allow_port: [...ports.slice(1), 2] })).toEqual([]);
  });
});
