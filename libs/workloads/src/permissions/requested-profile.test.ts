import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRequestedProfile } from './requested-profile.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'profiles-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(document: string | object) {
  writeFileSync(join(folder, 'p.json'), typeof document === 'string' ? document : JSON.stringify(document));
  return readRequestedProfile('p.json', folder);
}

describe('readRequestedProfile', () => {
  it.each([
    ['none', 'none', false],
    ['stdio', 'none', false],
    ['network', 'network', true],
  ])('knows the built-in profile %s', (text, name, isOpen) => {
    expect(readRequestedProfile(text, '/')).toEqual({
      nameOrPath: name,
      profile: { name, network: { outbound: { insecure_allow_all: isOpen } } },
      warnings: [],
    });
  });

  it('reads a file, also with a byte order mark and with the members of earlier versions', () => {
    const profile = {
      name: 'api',
      read: null,
      network: { outbound: { allow_host: ['api.example.com'], allow_port: [443], allow_transport: ['tcp'] } },
      alow_hosts: ['x'],
    };
    expect(read(`\uFEFF${JSON.stringify(profile)}`)).toEqual({
      nameOrPath: join(folder, 'p.json'),
      profile,
      warnings: [
        'p.json: alow_hosts is not a member of permission profiles; it has no effect',
        'p.json: network.outbound.allow_transport is not a member of permission profiles; it has no effect',
      ],
    });
  });

  it.each([
    ['', 'is not JSON'],
    ['{"read": [', 'is not JSON'],
    ['[]', 'the document must be an object'],
    ['null', 'the document must be an object'],
    ['"network"', 'the document must be an object'],
    [{ name: 5 }, 'name must be a text'],
    [{ read: '/x' }, 'read must be a list'],
    [{ write: [['/x']] }, 'write.0 must be a text'],
    [{ privileged: 'true' }, 'privileged must be true or false'],
    [{ network: [] }, 'network must be an object'],
    [{ network: { mode: 1 } }, 'network.mode must be a text'],
    [
      { network: { outbound: { insecure_allow_all: 'no' } } },
      'network.outbound.insecure_allow_all must be true or false',
    ],
    [{ network: { outbound: { allow_host: 'x' } } }, 'network.outbound.allow_host must be a list'],
    [{ network: { outbound: { allow_port: ['443'] } } }, 'network.outbound.allow_port.0 must be a port'],
    [{ network: { outbound: { allow_port: [0] } } }, 'network.outbound.allow_port.0 must be a port'],
    [{ network: { outbound: { allow_port: [1.5] } } }, 'network.outbound.allow_port.0 must be a port'],
    [{ network: { inbound: { allow_host: [null] } } }, 'network.inbound.allow_host.0 must be a text'],
  ])('refuses %j and names the file and the member', (document, problem) => {
    expect(() => read(document)).toThrow('--permission-profile p.json');
    expect(() => read(document)).toThrow(problem);
  });

  it.each(['', 'a\0b', 'NONE', 'missing.json', '.', '/dev/zero'])('refuses %j, which is no file', (text) => {
    expect(() => readRequestedProfile(text, folder)).toThrow(/^--permission-profile/);
  });
});
