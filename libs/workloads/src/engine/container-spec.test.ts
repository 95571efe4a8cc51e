import { describe, expect, it } from '@jest/globals';
import { createContainerSpec, createWorkloadLabels } from './container-spec.ts';
import { getHome } from '../state/home.ts';
import { DEFAULT_LIMITS } from '../flags/resource-limits.ts';
import { getLimits, getMounts, getPublishedPorts } from '../configuration/config-values.ts';
import type { Mount } from '../mounts/mount.ts';
import type { PermissionProfile } from '../permissions/permission-profile.ts';
import { createRunConfig } from '../configuration/create-run-config.ts';
import { readRunConfig, type RunConfig } from '../configuration/run-config.ts';
import { parseRunFlags, type RunFlags } from '../flags/run-flags.ts';

interface Body {
  Env: string[];
  Labels: Record<string, string>;
  OpenStdin: boolean;
  Cmd?: string[];
  HostConfig: {
    CapDrop: string[];
    SecurityOpt: string[];
    RestartPolicy: { Name: string };
    AutoRemove: boolean;
    PortBindings: Record<string, { HostIp: string; HostPort: string }[]>;
    Mounts: { Source: string; Target: string; ReadOnly: boolean }[];
  };
}
const home = getHome('/a', '/b');
function config(flags: RunFlags, args: string[] = []): RunConfig {
  const made = createRunConfig(parseRunFlags('owner/server', args, flags, '/'), {
    containerName: 'c',
    engine: 'unix:///x',
    host: '127.0.0.1',
    networkRange: ['10.9.0.0/16'],
  });
  return { target_port: 8080, ...made, transport: made.transport || 'streamable-http' };
}
const createBody = (
  flags: RunFlags,
  args?: string[],
  reach: 'direct' | 'published' = 'published',
  network = 'gatehouse',
) => {
  const made = config(flags, args);
  return createContainerSpec(made, createWorkloadLabels(home, made), { network }, reach, {
    secrets: {},
    mounts: getMounts(made),
  }) as Body;
};

describe('createContainerSpec', () => {
  it('has no capabilities, no new privileges and no restart policy', () => {
    const { HostConfig } = createBody({});
    expect(HostConfig.CapDrop).toEqual(['ALL']);
    expect(HostConfig.SecurityOpt).toContain('no-new-privileges');
    expect(HostConfig.RestartPolicy.Name).toBe('no');
    expect(HostConfig).not.toHaveProperty('Privileged');
  });

  it('uses nothing of the machine but its mounts, and keeps the filter of system calls', () => {
    const { HostConfig } = createBody({});
    expect(HostConfig.SecurityOpt).toEqual(['no-new-privileges', 'label=disable']);
    for (const member of [
      'Devices',
      'PidMode',
      'IpcMode',
      'UTSMode',
      'UsernsMode',
      'CapAdd',
      'ReadonlyRootfs',
      'Tmpfs',
    ])
      expect(HostConfig).not.toHaveProperty(member);
  });

  it('has the rights of its permission profile', () => {
    const create = (profile: PermissionProfile, mounts: Mount[] = []) => {
      const made = { ...config({}), permission_profile: profile };
      return (
        createContainerSpec(made, createWorkloadLabels(home, made), { network: 'n' }, 'direct', {
          secrets: {},
          mounts,
        }) as Body
      ).HostConfig;
    };
    expect(create({ privileged: true })).toMatchObject({ Privileged: true });
    expect(create({ privileged: false, read_only_root: false })).not.toHaveProperty('Privileged');
    expect(create({ read_only_root: true })).toMatchObject({
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': 'rw,nosuid,nodev,mode=1777' },
    });
    const mount = { source: '/x', target: '/tmp', readOnly: true };
    expect(create({ read_only_root: true }, [mount])).not.toHaveProperty('Tmpfs');
  });

  it('limits the log and the number of processes', () => {
    expect(createBody({}).HostConfig).toMatchObject({
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
      PidsLimit: 512,
    });
    expect(createBody({ transport: 'stdio' }).HostConfig).toMatchObject({
      LogConfig: { Type: 'none' },
      PidsLimit: 512,
    });
  });

  it('sets default, requested or no limits', () => {
    const GIB = 1024 ** 3;
    const limits = { Memory: 2 * GIB, MemorySwap: 2 * GIB, CpuPeriod: 100_000, CpuQuota: 200_000, PidsLimit: 512 };
    expect(createBody({}).HostConfig).toMatchObject(limits);
    expect(createBody({ memory: '512m', cpus: '0.5', pidsLimit: '64' }).HostConfig).toMatchObject({
      ...{ Memory: GIB / 2, MemorySwap: GIB / 2, CpuQuota: 50_000, PidsLimit: 64 },
    });
    for (const none of ['0', 'none']) {
      const { HostConfig } = createBody({ memory: none, cpus: none, pidsLimit: none });
      for (const member of Object.keys(limits)) expect(HostConfig).not.toHaveProperty(member);
    }
  });

  it('keeps limits in the stored configuration; an older configuration gets the default limits', () => {
    const limits = { memoryBytes: 64 * 1024 ** 2, cpus: 0.25, pids: 0 };
    const made = config({ memory: '64MiB', cpus: '0.25', pidsLimit: 'none' });
    expect(getLimits(readRunConfig(JSON.stringify(made)))).toEqual(limits);
    const { memory_limit: _m, cpu_limit: _c, pids_limit: _p, network_range: _r, ...earlier } = made;
    expect(getLimits(readRunConfig(JSON.stringify(earlier)))).toEqual(DEFAULT_LIMITS);
  });

  it('publishes the server port on loopback only, or not at all', () => {
    expect(createBody({}).HostConfig.PortBindings).toEqual({ '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] });
    expect(createBody({}, [], 'direct').HostConfig.PortBindings).toEqual({});
    expect(createBody({ publish: ['9000:8080', '7'] }).HostConfig.PortBindings).toEqual({
      '8080/tcp': [
        { HostIp: '127.0.0.1', HostPort: '' },
        { HostIp: '', HostPort: '9000' },
      ],
      '7/tcp': [{ HostIp: '', HostPort: '' }],
    });
  });

  it('sets the transport variables unless the user sets them', () => {
    expect(createBody({}).Env.sort()).toEqual([
      'FASTMCP_PORT=8080',
      'MCP_HOST=0.0.0.0',
      'MCP_PORT=8080',
      'MCP_TRANSPORT=streamable-http',
    ]);
    expect(createBody({ env: ['MCP_PORT=1', 'X=a=b'] }).Env).toEqual(expect.arrayContaining(['MCP_PORT=1', 'X=a=b']));
    expect(createBody({ transport: 'stdio' }).Env).toEqual(['MCP_TRANSPORT=stdio']);
    expect(createBody({}, [], 'direct', 'host').Env).toContain('MCP_HOST=127.0.0.1');
  });

  it('gives the server the variables of its image in an exported configuration, below those of the user', () => {
    const made = {
      ...config({ transport: 'stdio', env: ['A=user'] }),
      runtime_config: { runtime_env: { A: 'image', B: 'image' } },
    };
    const inputs = { secrets: {}, mounts: [] };
    const body = createContainerSpec(made, {}, { network: 'gatehouse' }, 'none', inputs) as Body;
    expect(body.Env).toEqual(['MCP_TRANSPORT=stdio', 'A=user', 'B=image']);
  });

  it('passes arguments unchanged, and keeps the command of the image without any', () => {
    expect(createBody({}, ['--a', '', 'b c', '--a']).Cmd).toEqual(['--a', '', 'b c', '--a']);
    expect(createBody({})).not.toHaveProperty('Cmd');
  });

  it('ends a stdio container with its attachment', () => {
    const body = createBody({ transport: 'stdio' });
    expect(body).toMatchObject({ OpenStdin: true, StdinOnce: true, Tty: false, HostConfig: { AutoRemove: true } });
  });

  it('sets labels that user labels cannot replace', () => {
    const { Labels } = createBody({ label: ['team=a'] });
    expect(Labels).toMatchObject({
      team: 'a',
      gatehouse: 'true',
      'gatehouse-name': 'owner-server',
      'gatehouse-home': home.id,
    });
  });

  it('keeps mounts and ports in the stored configuration', () => {
    const stored = readRunConfig(JSON.stringify(config({ volume: ['/tmp:/a:ro', '/:/b'], publish: ['80:81', '9'] })));
    expect(getMounts(stored)).toMatchObject([
      { source: '/tmp', target: '/a', readOnly: true },
      { source: '/', target: '/b', readOnly: false },
    ]);
    expect(getPublishedPorts(stored)).toEqual([
      { host: 80, container: 81 },
      { host: undefined, container: 9 },
    ]);
  });
});
