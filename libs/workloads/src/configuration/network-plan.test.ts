import { describe, expect, it } from '@jest/globals';
import { chooseIsolation, createIsolationWarning } from '../flags/isolation.ts';
import { healIsolation, planNetwork } from './network-plan.ts';
import { readRunConfig } from './run-config.ts';

const read = (document: object) => readRunConfig(JSON.stringify({ name: 'x', ...document }));
const planWith = (network: object | null) =>
  planNetwork(read({ isolate_network: true, permission_profile: { network } }));

describe('the network plan', () => {
  it('is open without isolation, as in old files, and shared for other networks', () => {
    expect(planNetwork(read({}))).toEqual({ kind: 'open' });
    for (const mode of ['host', 'none', 'tools', 'container:x'])
      expect(planWith({ mode })).toEqual({ kind: 'shared', mode });
  });

  it.each([
    ['no network', null, true],
    ['no outbound rules', {}, true],
    ['insecure_allow_all', { outbound: { insecure_allow_all: true } }, true],
    ['empty outbound rules', { outbound: {} }, false],
    ['hosts', { outbound: { allow_host: ['a.example'] } }, false],
  ])('of a profile with %s allows the whole internet: %s', (_title, network, allowAll) =>
    expect(planWith(network)).toMatchObject({ kind: 'isolated', policy: { allowAll } }),
  );

  it('has the hosts and ports of the profile in the form that rules compare', () => {
    const outbound = {
      allow_host: [' API.Example.com. ', '.Example.org', '*.example.net', '192.0.2.1'],
      allow_port: [443],
    };
    expect(planWith({ mode: 'bridge', outbound })).toEqual({
      kind: 'isolated',
      policy: {
        allowAll: false,
        hosts: ['api.example.com', '.example.org', '*.example.net', '192.0.2.1'],
        ports: [443],
        allowGateway: false,
      },
    });
  });

  it('keeps private networks closed to the profile of an entry of a registry', () => {
    const plan = (document: object) =>
      planNetwork(read({ isolate_network: true, registry_server_name: 'entry', ...document }));
    expect(plan({})).toMatchObject({ policy: { isOfRegistry: true } });
    const own = plan({ permission_profile_name_or_path: '/profile.json' });
    expect(own).toEqual({ kind: 'isolated', policy: expect.not.objectContaining({ isOfRegistry: true }) });
  });

  it.each(['https://a.example', 'a.example:443', 'a.example/x', '*', '10.0.0.0/8', '', '*.*.example'])(
    'refuses %j as a host of the profile',
    (host) => expect(() => planWith({ outbound: { allow_host: [host] } })).toThrow('allow_host'),
  );
});

describe('the ports of a stdio server', () => {
  const withPorts = (document: object) => planNetwork(read({ transport: 'stdio', publish: ['80:81'], ...document }));

  it('cannot be published from an isolated network', () => {
    expect(() => withPorts({ isolate_network: true })).toThrow('--publish 80:81 cannot be used with an isolated stdio');
    expect(withPorts({})).toEqual({ kind: 'open' });
    expect(withPorts({ isolate_network: true, transport: 'streamable-http' })).toMatchObject({ kind: 'isolated' });
  });
});

describe('the isolation of a new workload', () => {
  it.each([
    [undefined, '', true],
    [true, '', true],
    [false, '', false],
    [undefined, 'none', false],
    [true, 'none', false],
    [undefined, 'host', false],
    [undefined, 'tools', false],
    [false, 'host', false],
  ])('with the flag %s on the network %j is %s', (typed, mode, expected) =>
    expect(chooseIsolation(typed, mode)).toBe(expected),
  );

  it.each(['host', 'tools', 'container:x'])('is refused on the network %s when the flag asks for it', (mode) =>
    expect(() => chooseIsolation(true, mode)).toThrow(`--isolate-network cannot be enforced with --network ${mode}`),
  );

  it('is dropped with a warning, except on the network none', () => {
    expect(createIsolationWarning(undefined, 'host')).toContain('--network host');
    for (const [typed, mode] of [
      [undefined, 'none'],
      [undefined, ''],
      [false, 'host'],
    ] as const)
      expect(createIsolationWarning(typed, mode)).toBeUndefined();
  });

  it('is dropped from stored configurations whose network cannot have it', () => {
    const stored = (mode: string) => read({ isolate_network: true, permission_profile: { network: { mode } } });
    const warnings: string[] = [];
    const heal = (mode: string) => healIsolation(stored(mode), (text) => warnings.push(text)).isolate_network;
    expect([heal('host'), heal('none'), heal('bridge')]).toEqual([false, false, true]);
    expect(warnings).toEqual([expect.stringContaining('With --network host')]);
  });
});
