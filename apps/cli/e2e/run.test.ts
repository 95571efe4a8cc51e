import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { generatedServerImage } from '@gatehouse/testing/images';
import { freePorts } from '@gatehouse/testing/ports';
import { echo, Gatehouse, type Shown } from './gatehouse.ts';
import { everythingServer, useGatehouse } from './test-home.ts';

describeWhen(await everythingServer(), 'gatehouse run', ({ engine, image }) => {
  const gatehouse = useGatehouse(engine);

  it.each([
    ['stdio', ['--transport', 'stdio'], 'stdio'],
    ['streamable-http', [], 'streamableHttp'],
  ])(
    'runs a real %s server that a stock client lists and calls, through stop, start, remove and run again',
    async (transport, flags, argument) => {
      const first = await gatehouse.call(['run', image, '--name', 'one', '--json', ...flags, '--', argument]);
      expect(first).toMatchObject({ code: 0 });
      const shown = JSON.parse(first.stdout) as Shown;
      expect(shown).toMatchObject({ name: 'one', status: 'running', transport_type: transport });
      expect(await echo(shown.url, 'hello')).toMatchObject({
        tools: expect.arrayContaining(['echo', 'get-sum']),
        said: [{ type: 'text', text: 'Echo: hello' }],
      });
      expect(await gatehouse.list()).toEqual([
        expect.objectContaining({ name: 'one', status: 'running', url: shown.url }),
      ]);
      expect(await gatehouse.ok('list')).toContain(shown.url);
      expect((await gatehouse.call(['logs', 'one'])).code).toBe(0);
      expect(await gatehouse.ok('logs', 'one', '--proxy')).toContain('running');
      for (const file of ['run.json', 'status.json', 'proxy.log', 'server.log']) {
        expect(statSync(join(gatehouse.home, 'workloads', 'one', file)).mode & 0o777).toBe(0o600);
      }

      await gatehouse.ok('stop', 'one');
      expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'stopped' })]);
      await expect(fetch(shown.url)).rejects.toThrow();
      expect(await gatehouse.countProcesses(0)).toBe(0);
      await gatehouse.ok('start', 'one');
      expect((await echo(shown.url, 'again')).said).toEqual([{ type: 'text', text: 'Echo: again' }]);

      await gatehouse.ok('rm', 'one');
      expect(await gatehouse.leftovers()).toEqual([]);
      const second = await gatehouse.call(['run', image, '--name', 'one', '--json', ...flags, '--', argument]);
      expect((JSON.parse(second.stdout) as Shown).port).toBe(shown.port);
    },
    120_000,
  );

  it('runs an unknown server, prints its address and the stop command, and writes messages to stderr only', async () => {
    const server = await generatedServerImage(engine);
    try {
      const { code, stdout, stderr } = await gatehouse.call([
        'run',
        server.image,
        '--name',
        'unknown',
        '--',
        'streamableHttp',
      ]);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^Name +unknown\nURL +http:\/\/127\.0\.0\.1:\d+\/mcp\nTransport +streamable-http\nStop +gatehouse stop unknown\n$/,
      );
      expect(stderr).toContain('waiting for the server to answer');
    } finally {
      await gatehouse.close();
      await server.remove();
    }
  }, 300_000);

  it('applies the flags to the container, and gives it no capability', async () => {
    await gatehouse.ok(
      ...['run', image, '--name', 'shape', '--label', 'team=a', '-e', 'GREETING=a b=c'],
      ...['--volume', '/usr/share:/data:ro'],
      ...['--', 'streamableHttp'],
    );
    const [container] = await gatehouse.containers();
    const { Config, HostConfig } = await engine.docker.getContainer(container!.Id).inspect();
    expect(Config.Labels).toMatchObject({ team: 'a', 'gatehouse-name': 'shape' });
    expect(Config.Env).toEqual(
      expect.arrayContaining(['GREETING=a b=c', 'MCP_TRANSPORT=streamable-http', 'MCP_PORT=3001']),
    );
    expect(HostConfig).toMatchObject({ CapDrop: ['ALL'], Privileged: false, RestartPolicy: { Name: 'no' } });
    expect(HostConfig.SecurityOpt).toContain('no-new-privileges');
    expect(HostConfig.Mounts).toEqual([
      expect.objectContaining({ Source: '/usr/share', Target: '/data', ReadOnly: true }),
    ]);
    expect(Object.values(HostConfig.PortBindings as object).flat()).not.toContainEqual(
      expect.objectContaining({ HostIp: '0.0.0.0' }),
    );
  }, 60_000);

  it('reaches the server over the network, the host and the ports of the flags', async () => {
    const [proxy, published] = await freePorts(2);
    const network = await engine.docker.createNetwork({ Name: `shared-${proxy}` });
    try {
      const printed = await gatehouse.ok(
        ...['run', image, '--name', 'reached', '--json', '--network', `shared-${proxy}`, '-p', `${published}:4100`],
        ...['--proxy-port', `${proxy}`, '--target-host', '127.0.0.1', '--target-port', '4100', '-e', 'PORT=4100'],
        ...['--', 'streamableHttp'],
      );
      const shown = JSON.parse(printed) as Shown;
      expect(shown.port).toBe(proxy);
      for (const url of [shown.url, `http://127.0.0.1:${published}/mcp`])
        expect((await echo(url, 'over')).said).toEqual([{ type: 'text', text: 'Echo: over' }]);
      const [container] = await gatehouse.containers();
      expect(Object.keys(container!.NetworkSettings.Networks)).toEqual([`shared-${proxy}`]);
    } finally {
      await gatehouse.ok('rm', '--all', '--yes');
      await network.remove();
    }
  }, 60_000);

  it('runs in the foreground with -f until it is interrupted, and then removes the workload', async () => {
    const running = gatehouse.begin(['run', image, '--name', 'front', '-f', '--', 'streamableHttp']);
    await running.says('listening on port');
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'front', status: 'running' })]);
    running.process.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: expect.stringContaining('Ctrl-C') });
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 60_000);

  it('runs workloads of two homes with the same name', async () => {
    const other = new Gatehouse(engine);
    try {
      const [a, b] = await Promise.all(
        [gatehouse, other].map((one) => one.call(['run', image, '--name', 'same', '--json', '--', 'streamableHttp'])),
      );
      expect([a!.code, b!.code]).toEqual([0, 0]);
      expect((JSON.parse(a!.stdout) as Shown).port).not.toBe((JSON.parse(b!.stdout) as Shown).port);
      await other.ok('rm', 'same');
      expect(await gatehouse.list()).toEqual([expect.objectContaining({ status: 'running' })]);
    } finally {
      await other.close();
    }
  }, 60_000);
});
