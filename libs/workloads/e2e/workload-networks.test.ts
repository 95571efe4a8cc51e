import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { describeWhen } from '@gatehouse/testing/fixture';
import { baseImage, imageEngine } from '@gatehouse/testing/images';
import { createLabelFilters, createContainerSpec, createWorkloadLabels } from '../src/engine/container-spec.ts';
import { createContainer, inspectContainer, removeContainer, startContainer } from '../src/engine/containers.ts';
import { parseEngineAddress } from '../src/engine/engine-address.ts';
import { Engine } from '../src/engine/engine.ts';
import { getHome, type Home } from '../src/state/home.ts';
import { listHostRoutes } from '../src/engine/host-routes.ts';
import { listNetworks, listNetworkGateways } from '../src/engine/networks.ts';
import { createRunConfig } from '../src/configuration/create-run-config.ts';
import type { RunConfig } from '../src/configuration/run-config.ts';
import { parseRunFlags } from '../src/flags/run-flags.ts';
import { DEFAULT_NETWORK_RANGES, getGateway } from '../src/engine/subnets.ts';
import { ensureNetwork, withNetwork, removeLeftoverNetworks } from '../src/engine/workload-networks.ts';
import { removeContainers } from '../src/engine/remove-containers.ts';

const overlap = (a: string, b: string) => {
  const [one, bits] = ipaddr.IPv4.parseCIDR(a);
  const [other, otherBits] = ipaddr.IPv4.parseCIDR(b);
  return one.match(other, Math.min(bits, otherBits));
};

describeWhen(await imageEngine(), 'the networks of workloads', ({ dockerHost, docker }) => {
  let folder: string;
  let home: Home;
  let engine: Engine;
  const names = new Set<string>();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'networks-'));
    home = getHome(folder, '/elsewhere');
    engine = new Engine(parseEngineAddress(dockerHost, 'DOCKER_HOST'));
  });
  afterEach(async () => {
    for (const name of names) await removeContainers(engine, home, name);
    names.clear();
    engine.close();
    rmSync(folder, { recursive: true });
  }, 300_000);

  const configNamed = (name: string, image = 'image', ranges = DEFAULT_NETWORK_RANGES): RunConfig => {
    names.add(name);
    const request = parseRunFlags(image, ['sleep', 'infinity'], { name, transport: 'stdio', memory: '16m' }, '/');
    const containerName = `${name}${home.suffix}`;
    return createRunConfig(request, { containerName, engine: engine.address, host: '127.0.0.1', networkRange: ranges });
  };
  /** Starts the n-th container of a workload; it sleeps. */
  const startWorkloadContainer = (config: RunConfig, number = 1) =>
    withNetwork({ engine, home, config }, async (network) => {
      const body = createContainerSpec(config, createWorkloadLabels(home, config), { network }, 'none', {
        secrets: {},
        mounts: [],
      }) as Record<string, unknown>;
      const name = `${config.container_name}-${number}-${Math.random().toString(36).slice(2)}`;
      const id = await createContainer(engine, name, body, () => undefined);
      try {
        await startContainer(engine, id);
      } catch (error) {
        await removeContainer(engine, id);
        throw error;
      }
      return id;
    });
  const ownSubnets = async () =>
    (await listNetworks(engine, createLabelFilters(home))).flatMap(({ subnets }) => subnets);

  it('are created 40 at once, each a /28 without overlap, and removed with the workload', async () => {
    const image = await baseImage({ docker, dockerHost, socket: '' });
    const before = [...(await listNetworks(engine)).flatMap(({ subnets }) => subnets), ...listHostRoutes()];
    const configs = Array.from({ length: 40 }, (_, index) => configNamed(`many-${index}`, image));
    await Promise.all(configs.map((config) => startWorkloadContainer(config)));
    const subnets = await ownSubnets();
    expect(subnets).toHaveLength(40);
    for (const subnet of subnets) {
      expect(subnet).toMatch(/\/28$/);
      const others = [...before.filter((cidr) => !/\/[0-7]$/.test(cidr)), ...subnets.filter((one) => one !== subnet)];
      expect([subnet, others.filter((other) => overlap(subnet, other))]).toEqual([subnet, []]);
    }
    for (const { name } of configs) await removeContainers(engine, home, name);
    expect(await listNetworks(engine, createLabelFilters(home))).toEqual([]);
  }, 300_000);

  it('are created once for concurrent callers', async () => {
    const config = configNamed('once');
    const found = await Promise.all(Array.from({ length: 8 }, () => ensureNetwork({ engine, home, config })));
    const ids = found.map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    const [subnet, ...others] = await ownSubnets();
    expect(others).toEqual([]);
    expect(await listNetworkGateways(engine, ids[0]!)).toEqual([getGateway(subnet!)]);
  });

  it('come from the configured range, until an error reports that it is full', async () => {
    const range = '10.253.77.0/26';
    const taken = `taken-${home.id}`;
    const network = await docker.createNetwork({ Name: taken, IPAM: { Config: [{ Subnet: '10.253.77.16/28' }] } });
    try {
      const configs = ['a1', 'b1', 'c1'].map((name) => configNamed(name, 'image', [range]));
      await Promise.all(configs.map((config) => ensureNetwork({ engine, home, config })));
      expect((await ownSubnets()).sort()).toEqual(['10.253.77.0/28', '10.253.77.32/28', '10.253.77.48/28']);
      await expect(ensureNetwork({ engine, home, config: configNamed('d1', 'image', [range]) })).rejects.toThrow(
        `There is no free /28 subnet in ${range} for d1`,
      );
    } finally {
      await network.remove();
    }
  });

  it('are several for a workload with more containers than addresses', async () => {
    const image = await baseImage({ docker, dockerHost, socket: '' });
    const config = configNamed('large', image);
    for (let number = 1; number <= 14; number += 1) await startWorkloadContainer(config, number);
    expect(await ownSubnets()).toHaveLength(2);
    await removeContainers(engine, home, 'large');
    expect(await listNetworks(engine, createLabelFilters(home))).toEqual([]);
  }, 120_000);

  it('are removed at the next start when they have no workload or no home; others stay', async () => {
    const other = getHome(mkdtempSync(`${folder}-other-`), '/elsewhere');
    const deleted = getHome(`${folder}-deleted`, '/elsewhere');
    const config = configNamed('kept');
    await ensureNetwork({ engine, home, config: configNamed('gone') });
    await ensureNetwork({ engine, home, config });
    await ensureNetwork({ engine, home: other, config });
    await ensureNetwork({ engine, home: deleted, config });
    await removeLeftoverNetworks(engine, home, (name) => name === 'kept');
    const named = (labels: string[]) => listNetworks(engine, labels).then((all) => all.map(({ name }) => name));
    expect(await named(createLabelFilters(home))).toEqual([`gatehouse-${home.id}-kept`]);
    expect(await named(createLabelFilters(other))).toEqual([`gatehouse-${other.id}-kept`]);
    expect(await named(createLabelFilters(deleted))).toEqual([]);
    await removeContainers(engine, other, 'kept');
    rmSync(other.folder, { recursive: true });
  });

  it('separate containers of different workloads and of one workload', async () => {
    const image = await baseImage({ docker, dockerHost, socket: '' });
    const listener = configNamed('listener', image);
    const serving = { ...listener, cmd_args: ['perl', '-MIO::Socket::INET', '-e', LISTEN] };
    const target = await startWorkloadContainer(serving);
    const [address] = (await inspectContainer(engine, target))!.addresses;
    const callers = [configNamed('caller', image), listener];
    // The port is open: the machine itself can connect.
    await untilOpen(address!);
    const dial = `exit(IO::Socket::INET->new(PeerAddr => "${address}", PeerPort => 7000, Timeout => 3) ? 0 : 9)`;
    const dialFrom = async (id: string) => {
      const exec = await docker
        .getContainer(id)
        .exec({ Cmd: ['perl', '-MIO::Socket::INET', '-e', dial], AttachStdout: true });
      const stream = await exec.start({});
      stream.resume();
      await once(stream, 'end');
      return (await exec.inspect()).ExitCode;
    };
    expect(await dialFrom(target)).toBe(0);
    for (const [index, caller] of callers.entries()) {
      const id = await startWorkloadContainer(caller, index + 2);
      expect([caller.name, await dialFrom(id)]).toEqual([caller.name, 9]);
    }
  }, 120_000);
});

/** Perl that accepts connections on port 7000. */
const LISTEN = 'my $s = IO::Socket::INET->new(LocalPort => 7000, Listen => 5) or die; while ($s->accept) {}';

async function untilOpen(address: string): Promise<void> {
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: address, port: 7000 }, () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
