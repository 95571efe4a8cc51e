import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseRunFlags, type RunFlags } from '../flags/run-flags.ts';
import { createPermissionSection } from '../permissions/permission-section.ts';
import { readRequestedProfile } from '../permissions/requested-profile.ts';
import { createRunConfig } from './create-run-config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'profiles-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const writeProfile = (document: object) => writeFileSync(join(folder, 'p.json'), JSON.stringify(document));

describe('the permissions of a configuration', () => {
  const create = (flags: RunFlags) =>
    createRunConfig(parseRunFlags('owner/server', [], flags, folder), {
      ...{ containerName: 'c', engine: 'unix:///x', host: '127.0.0.1', networkRange: [] },
    });

  it('are those of the profile network without a flag', () =>
    expect(create({})).toMatchObject({
      permission_profile_name_or_path: 'network',
      permission_profile: { name: 'network', network: { mode: '', outbound: { insecure_allow_all: true } } },
    }));

  it('contain the content of the file', () => {
    writeProfile({ name: 'p', network: { mode: 'host', outbound: { allow_host: ['a.example'] } }, future: { x: 1 } });
    expect(create({ permissionProfile: 'p.json' })).toMatchObject({
      permission_profile_name_or_path: join(folder, 'p.json'),
      permission_profile: {
        name: 'p',
        network: { mode: 'host', outbound: { allow_host: ['a.example'] } },
        future: { x: 1 },
      },
    });
  });

  it.each([
    ['none', 'none'],
    ['bridge', ''],
  ])('have the network mode of --network %s instead of that of the profile', (network, mode) => {
    writeProfile({ network: { mode: 'host' } });
    expect(create({ permissionProfile: 'p.json', network }).permission_profile?.network?.mode).toBe(mode);
  });

  it('are refused with an invalid network mode, which the message names', () => {
    writeProfile({ network: { mode: '../x' } });
    expect(() => create({ permissionProfile: 'p.json' })).toThrow(
      '--permission-profile p.json: network.mode ../x is not a network name',
    );
  });

  it('are those of the registry when no flag names a profile', () => {
    const registry = { network: { outbound: { allow_host: ['a.example'] } } };
    expect(createPermissionSection({ profile: undefined, network: undefined }, registry)).toEqual({
      permission_profile: { network: { mode: '', outbound: { allow_host: ['a.example'] } } },
    });
    const profile = readRequestedProfile('none', '/');
    expect(createPermissionSection({ profile, network: undefined }, registry).permission_profile.name).toBe('none');
    const open = { network: { ...registry.network, inbound: { allow_host: ['page.example'] } } };
    const { permission_profile } = createPermissionSection({ profile: undefined, network: undefined }, open);
    expect(permission_profile.network).toEqual({ mode: '', outbound: registry.network.outbound });
  });
});
