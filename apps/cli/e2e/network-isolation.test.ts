import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine } from '@gatehouse/testing/images';
import { freePort } from '@gatehouse/testing/ports';
import { getHome } from '@gatehouse/workloads/state/home';
import { Gatehouse, listTools } from './gatehouse.ts';
import {
  ADD_ROUTE,
  ASK_PROXY,
  ATTACKS,
  type AttackResult,
  type AttackSettings,
  RAW_SOCKET,
} from './hostile-container.ts';

/** An address of this machine in its network. It stands for the internet. */
const findTarget = (): string =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';

const listen = async (server: Server | HttpServer): Promise<number> => {
  server.listen(0);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Answers each A query with an address of the map, or that of the target, and records names. */
function answerDns(socket: DatagramSocket, addresses: Readonly<Record<string, string>>, target: string) {
  const names: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at] !== 0; at += 1 + (query[at] ?? 0))
      labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString());
    const name = labels.join('.');
    names.push(name);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt32BE(0x00010001, 4);
    header.writeUInt32BE(0, 8);
    const data = (addresses[name] ?? target).split('.').map(Number);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...data]);
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), answer]), port, address);
  });
  return names;
}

describeWhen(await imageEngine(), 'the isolated network of a server', (engine) => {
  const target = findTarget();
  const dns = createSocket('udp4');
  let names: string[];
  let secretHits = 0;
  const secret = createServer((socket) => {
    secretHits += 1;
    socket.end('secret');
  });
  const web = createHttpServer((_request, response) => response.end('hello'));
  const echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  let ports: { secret: number; web: number; echo: number };
  let gatehouse: Gatehouse;
  let image: string;
  let environment: NodeJS.ProcessEnv;
  beforeAll(async () => {
    ports = { secret: await listen(secret), web: await listen(web), echo: await listen(echo) };
    // A reply must have the address that was asked as its source.
    dns.bind(0, target);
    await once(dns, 'listening');
    names = answerDns(dns, { 'rebound.bad.test': '127.0.0.1', 'metadata.bad.test': '169.254.169.254' }, target);
    environment = { GATEHOUSE_EGRESS_NAMESERVER: `${target}:${dns.address().port}` };
  });
  afterAll(() => {
    for (const server of [secret, web, echo]) server.close();
    web.closeAllConnections();
    dns.close();
  });
  beforeEach(async () => {
    gatehouse = new Gatehouse(engine);
    image = await everythingImage(engine);
  }, 300_000);
  afterEach(() => gatehouse.close(), 60_000);

  const run = async (...args: string[]) => (await gatehouse.run([image, ...args], environment)).shown;
  const writeProfile = (outbound: object) => {
    const file = join(gatehouse.home, 'profile.json');
    writeFileSync(file, JSON.stringify({ network: { outbound } }));
    return file;
  };
  const inContainer = async (id: string, command: string[]): Promise<string> => {
    const exec = await engine.docker
      .getContainer(id)
      .exec({ Cmd: command, AttachStdout: true, AttachStderr: true, Tty: true });
    const stream = await exec.start({ Tty: true });
    let text = '';
    stream.on('data', (part: Buffer) => (text += part.toString()));
    await once(stream, 'end');
    return text;
  };
  const attack = async (id: string, settings: AttackSettings): Promise<AttackResult> => {
    const output = await inContainer(id, ['node', '-e', ATTACKS, JSON.stringify(settings)]);
    const line = output.split('\n').find((text) => text.startsWith('{'));
    if (line === undefined) throw new Error(output);
    return JSON.parse(line) as AttackResult;
  };
  const findContainer = async (name: string) => {
    const found = await gatehouse.containers();
    const container = found.find(({ Labels }) => Labels['gatehouse-name'] === name);
    const { NetworkSettings } = await engine.docker.getContainer(container!.Id).inspect();
    return { id: container!.Id, networks: Object.values(NetworkSettings.Networks) };
  };

  const findEgress = async (id: string) => {
    const { Config } = await engine.docker.getContainer(id).inspect();
    const home = `gatehouse-home=${Config.Labels['gatehouse-home'] ?? ''}`;
    return engine.docker.listContainers({ all: true, filters: { label: ['gatehouse-egress', home] } });
  };

  /** Adds a route in the network of a container, with a right that the container does not have. */
  const addRoute = async (id: string, host: string, gateway: string) => {
    const container = await engine.docker.createContainer({
      Image: image,
      Entrypoint: ['perl', '-e', ADD_ROUTE, host, gateway],
      User: '0',
      Tty: true,
      HostConfig: { NetworkMode: `container:${id}`, CapAdd: ['NET_ADMIN'] },
    });
    try {
      await container.start();
      await container.wait();
      expect((await container.logs({ stdout: true, stderr: true })).toString()).toBe('routed');
    } finally {
      await container.remove({ force: true });
    }
  };

  it('lets a hostile server reach what its profile names, and nothing else', async () => {
    const ownPorts = [80, 443, ports.web, ports.echo];
    const otherProfile = writeProfile({ allow_host: ['only-other.test'], allow_port: ownPorts });
    await run('--name', 'other', '--permission-profile', otherProfile, '--', 'streamableHttp');
    const other = await findContainer('other');
    const [shared] = await findEgress(other.id);
    // The egress container has the last address but one of each /28, and its own one outside.
    const otherServer = other.networks[0]!.IPAddress;
    const otherEgress = Object.values(shared!.NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
    const profile = writeProfile({
      allow_host: ['allowed.test', '.wild.test', '*.bad.test', otherServer, ...otherEgress],
      allow_port: [...ownPorts, 3001, 3128],
    });
    await run('--name', 'hostile', '--permission-profile', profile, '--', 'streamableHttp');
    const { id, networks } = await findContainer('hostile');
    // One more for the address of allowed.test, the only name without a wildcard.
    expect(networks).toHaveLength(2);
    expect(await findEgress(id)).toEqual([expect.objectContaining({ Id: shared!.Id })]);
    const machine = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const addresses = machine
      .filter(({ internal }) => !internal)
      .map(({ address, scopeid }) => (scopeid ? `${address}%eth0` : address));
    const result = await attack(id, {
      ports,
      target,
      direct: [
        ...addresses.map((host) => [host, ports.secret] as const),
        [target, ports.web],
        [networks[0]!.Gateway, ports.secret],
        [networks[0]!.Gateway, 22],
        ['169.254.169.254', 80],
        ['198.51.100.1', 443],
        ['1.1.1.1', 53],
        [otherServer, 3001],
        ...otherEgress.flatMap((host) => [[host, 3128] as const, [host, 53] as const]),
      ],
      refused: [
        `only-other.test:${ports.web}`,
        `${otherServer}:3001`,
        `[::ffff:${otherServer}]:3001`,
        ...otherEgress.flatMap((host) => [`${host}:3128`, `${host}:3001`]),
      ],
      nameservers: [[target, dns.address().port], ['1.1.1.1', 53], ...otherEgress.map((host) => [host, 53] as const)],
    });
    expect(result.direct.filter(([, , outcome]) => outcome === 'open')).toEqual([]);
    expect(result.proxy.filter(([, outcome]) => !['400', '403'].includes(outcome))).toEqual([]);
    expect(result.names.filter(([, outcome]) => !['ENOTFOUND', 'ENODATA'].includes(outcome))).toEqual([]);
    expect(new Set(result.nameservers)).toEqual(new Set(['silent']));
    expect(result.serverNames).toEqual({ allowed: 'passed', other: 'closed' });
    expect(result.allowed).toEqual({ proxy: 'hello', connect: 'hello', transparent: 'hello', tcp: 'ping' });
    expect(await inContainer(id, ['perl', '-e', RAW_SOCKET])).toMatch(/^refused/);

    // Not even a server that can change its routes gets the rules of another workload.
    const own = new URL(await inContainer(id, ['printenv', 'HTTP_PROXY'])).hostname;
    const askProxy = async (host: string) =>
      (await inContainer(id, ['node', '-e', ASK_PROXY, host, `only-other.test:${ports.web}`])).trim();
    for (const host of otherEgress) {
      await addRoute(id, host, own);
      expect(await askProxy(host)).toBe('nothing');
    }
    expect(await askProxy(own)).toBe('403');
    expect(secretHits).toBe(0);
    expect(new Set(names)).toEqual(new Set(['allowed.test', 'rebound.bad.test', 'metadata.bad.test']));
    expect(await gatehouse.ok('logs', 'hostile', '--proxy')).toContain(
      `denied evil.test:${ports.web} (host is not in allow_host of the permission profile)`,
    );
    expect(await gatehouse.ok('logs', 'other', '--proxy')).not.toContain('denied');

    // The rules stay after the end of the egress container, and of the other workload.
    const again = `fetch('http://allowed.test:${ports.web}').then((r) => r.text()).then(console.log, () => console.log('no'))`;
    const untilItWorks = async () => {
      while (!(await inContainer(id, ['node', '-e', again])).includes('hello'));
    };
    await engine.docker.getContainer(shared!.Id).kill();
    await untilItWorks();
    await gatehouse.until('other', 'running');
    await gatehouse.ok('rm', 'other');
    await untilItWorks();
    expect(await askProxy(own)).toBe('403');
    expect(secretHits).toBe(0);
    await gatehouse.ok('rm', 'hostile');
    await gatehouse.untilNothingIsLeft();
  }, 240_000);

  it('leads other protocols than HTTP to each of several hosts', async () => {
    const profile = writeProfile({ allow_host: ['one.test', 'two.test'], allow_port: [ports.echo] });
    await run('--name', 'several', '--permission-profile', profile, '--', 'streamableHttp');
    const { id } = await findContainer('several');
    const speak = (host: string) => `
      const socket = require('net').connect(${ports.echo}, '${host}', () => socket.write('hello ${host}'));
      socket.on('data', (data) => (console.log(String(data), socket.remoteAddress), socket.destroy()));
      socket.on('error', (error) => console.log(error.code));`;
    const addresses: string[] = [];
    for (const host of ['one.test', 'two.test']) {
      names.length = 0;
      const [, text, address = ''] =
        /^(hello \S+|\w+) ?(.*?)\s*$/.exec(await inContainer(id, ['node', '-e', speak(host)])) ?? [];
      expect([text, names]).toEqual([`hello ${host}`, [host]]);
      addresses.push(address);
    }
    expect(new Set(addresses).size).toBe(2);
    expect(await inContainer(id, ['node', '-e', speak('three.test')])).toMatch(/^ENOTFOUND/);
    await gatehouse.ok('rm', 'several');
    await gatehouse.untilNothingIsLeft();
  }, 120_000);

  it('publishes the ports of an isolated server at an egress container of its own', async () => {
    const published = await freePort();
    // A container of another program has the name.
    const { suffix } = getHome(gatehouse.home, '/');
    const foreign = await engine.docker.createContainer({ name: `taken${suffix}.egress`, Image: image });
    const taken = await gatehouse.call(['run', image, '--name', 'taken', '-p', '3001', '--', 'streamableHttp']);
    await foreign.remove();
    expect([taken.code, taken.stderr]).toEqual([4, expect.stringContaining('exists already')]);

    await run('--name', 'published', '-p', `${published}:3001`, '--', 'streamableHttp');
    const response = await fetch(`http://127.0.0.1:${published}/mcp`, { method: 'OPTIONS' });
    await response.text();
    expect(response.status).toBeLessThan(500);
    const refused = await gatehouse.call(['run', image, '--transport', 'stdio', '-p', '3001']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--publish 3001 cannot be used')]);
  }, 120_000);

  it('lets a server reach this machine with --allow-docker-gateway, and separates its containers', async () => {
    const flags = ['--permission-profile', 'none', '--allow-docker-gateway', '--transport', 'stdio'];
    // The network of a home whose folder was deleted.
    const lost = { 'gatehouse-home': '00000000', 'gatehouse-folder': join(gatehouse.home, 'deleted') };
    const network = await engine.docker.createNetwork({
      Name: `deleted-${gatehouse.home.slice(-6)}`,
      Labels: { gatehouse: 'true', ...lost },
    });
    const { url } = await run('--name', 'near', ...flags);
    await expect(network.inspect()).rejects.toMatchObject({ statusCode: 404 });
    await listTools(url);
    const { id } = await findContainer('near');
    const port = ports.web;
    const call = (host: string) =>
      `require('http').get({ host: new URL(process.env.HTTP_PROXY).hostname, port: 3128, path: 'http://${host}:${port}/',
        headers: { host: '${host}:${port}' } }, (r) => { console.log(String(r.statusCode)); process.exit(); })`;
    expect(await inContainer(id, ['node', '-e', call('host.docker.internal')])).toMatch(/^200/);
    expect(await inContainer(id, ['node', '-e', call('allowed.test')])).toMatch(/^403/);
    const containers = await Promise.all(
      (await gatehouse.containers()).map(({ Id }) => engine.docker.getContainer(Id).inspect()),
    );
    const networks = containers.flatMap(({ NetworkSettings }) => Object.keys(NetworkSettings.Networks));
    expect(networks).toHaveLength(containers.length);
    expect(new Set(networks).size).toBe(networks.length);

    // The image of another version of the command line.
    const [current] = await engine.docker.listImages({ filters: { label: ['gatehouse-egress'] } });
    await engine.docker.getImage(current!.Id).tag({ repo: 'gatehouse.invalid/egress', tag: 'of-another-version' });
    expect(await gatehouse.ok('image', 'prune')).toContain('gatehouse.invalid/egress:of-another-version');
  }, 120_000);
});
