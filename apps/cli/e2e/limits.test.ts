import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describeWhen } from '@gatehouse/testing/fixture';
import { baseImage, nodeImage } from '@gatehouse/testing/images';
import { echo, type Shown } from './gatehouse.ts';
import { everythingServer, useGatehouse } from './test-home.ts';

/**
 * Prints the limits of memory, processor and processes of its container (cgroup version 2 or 1).
 */
const LIMITS = `cd /sys/fs/cgroup; if [ -f pids.max ]; then cat memory.max cpu.max pids.max;
  else cat memory/memory.limit_in_bytes; echo $(cat cpu/cpu.cfs_quota_us cpu/cpu.cfs_period_us); cat pids/pids.max; fi`;
/** Starts up to 500 processes. The shell ends at the limit. */
const FORK_BOMB = 'i=0; while [ $i -lt 500 ]; do sleep 60 & i=$((i+1)); done';
/** A stdio server whose tool `eat` takes memory until its end. */
const EATER = `
const kept = [];
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (params?.name === 'eat') for (;;) kept.push(Buffer.alloc(8 * 1024 * 1024, 1));
  const { protocolVersion } = params ?? {};
  const handshake = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'eater', version: '1' } };
  const result = method === 'initialize' ? handshake : { content: [{ type: 'text', text: 'rested' }] };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

describeWhen(await everythingServer(), 'the container of gatehouse run', ({ engine, image }) => {
  const gatehouse = useGatehouse(engine);

  const inContainer = async (script: string): Promise<string> => {
    const [container] = await gatehouse.containers();
    const exec = await engine.docker
      .getContainer(container!.Id)
      .exec({ Cmd: ['sh', '-c', script], AttachStdout: true, AttachStderr: true, Tty: true });
    const stream = await exec.start({ Tty: true });
    let text = '';
    stream.on('data', (part: Buffer) => (text += part.toString()));
    await once(stream, 'end');
    return text.replaceAll('\r', '').trim();
  };
  const limits = async () => (await inContainer(LIMITS)).split('\n');
  const http = ['--isolate-network=false', '--', 'streamableHttp'];

  it('has default limits or those of the flags, also after stop and start', async () => {
    await gatehouse.ok('run', image, '--name', 'usual', ...http);
    expect(await limits()).toEqual(['2147483648', '200000 100000', '512']);
    await gatehouse.ok('rm', 'usual');
    await gatehouse.ok(
      'run',
      image,
      '--name',
      'small',
      '--memory',
      '300m',
      '--cpus',
      '0.5',
      '--pids-limit',
      '64',
      ...http,
    );
    const expected = ['314572800', '50000 100000', '64'];
    expect(await limits()).toEqual(expected);
    await gatehouse.ok('stop', 'small');
    await gatehouse.ok('start', 'small');
    expect(await limits()).toEqual(expected);
  }, 120_000);

  it('has no limit with none or 0', async () => {
    await gatehouse.ok(
      'run',
      image,
      '--name',
      'free',
      '--memory',
      'none',
      '--cpus',
      '0',
      '--pids-limit',
      'none',
      ...http,
    );
    const [memory, cpu, pids] = await limits();
    expect(memory === 'max' || Number(memory) > 2 ** 62).toBe(true);
    expect(cpu).toMatch(/^(max|-1) 100000$/);
    expect(pids).toBe('max');
  }, 60_000);

  it('bounds a fork bomb, and its server keeps answering', async () => {
    const { url } = await gatehouse.json<Shown>(
      'run',
      image,
      '--name',
      'bomb',
      '--pids-limit',
      '64',
      '--isolate-network=false',
      '--transport',
      'stdio',
    );
    expect(await inContainer(FORK_BOMB)).toMatch(/cannot fork/i);
    const [container] = await gatehouse.containers();
    const { pids_stats: processes } = await engine.docker.getContainer(container!.Id).stats({ stream: false });
    expect(processes?.current).toBeGreaterThan(30);
    expect(processes?.current).toBeLessThanOrEqual(64);
    expect((await echo(url, 'on')).said).toEqual([{ type: 'text', text: 'Echo: on' }]);
  }, 60_000);

  it('is killed where its server needs more memory; its client gets an error, and the next call a new process', async () => {
    const flags = ['--transport', 'stdio', '--memory', '64m', '--isolate-network=false'];
    const run = ['run', await nodeImage(engine), '--name', 'eater', '--json', ...flags, '--', 'node', '-e', EATER];
    const { url } = JSON.parse(await gatehouse.ok(...run)) as Shown;
    const client = new Client({ name: 'eater', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const call = (name: string) => client.callTool({ name, arguments: {} });
    await expect(call('eat')).rejects.toThrow('The MCP server ended before it answered.');
    expect(await call('rest')).toMatchObject({ content: [{ type: 'text', text: 'rested' }] });
    await client.close();
    expect(await gatehouse.ok('logs', 'eater', '--proxy')).toMatch(/killed \(exit code 137\).* more than its --memory/);
  }, 60_000);

  const isolated = ['--', 'streamableHttp'];

  it('has its own internal network, and shares the egress network; both are removed with it', async () => {
    await Promise.all(['n1', 'n2'].map((name) => gatehouse.ok('run', image, '--name', name, ...isolated)));
    const networks = async () =>
      (await gatehouse.leftovers())
        .filter((name) => name.startsWith('gatehouse-'))
        .map((name) => name.replace(/^gatehouse-[0-9a-f]{8}/, '').replace(/^\.egress-.*/, '.egress'));
    expect((await networks()).sort()).toEqual(['.egress', '.internal1-n1', '.internal1-n2']);
    await gatehouse.ok('rm', 'n1');
    expect((await networks()).sort()).toEqual(['.egress', '.internal1-n2']);
    await gatehouse.ok('rm', 'n2');
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 60_000);

  it('loses its network at the next start when its state is lost', async () => {
    await gatehouse.ok('run', image, '--name', 'lost', '--transport', 'stdio');
    process.kill(gatehouse.supervisor('lost'), 'SIGKILL');
    for (const { Id } of await gatehouse.containers())
      await engine.docker
        .getContainer(Id)
        .remove({ force: true })
        .catch(() => undefined);
    rmSync(join(gatehouse.home, 'workloads'), { recursive: true });
    expect(await gatehouse.leftovers()).not.toEqual([]);
    await gatehouse.ok('run', image, '--name', 'next', ...isolated);
    await gatehouse.ok('rm', 'next');
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 60_000);

  it('refuses an invalid range of networks', async () => {
    const { code, stderr } = await gatehouse.call(['run', image], { GATEHOUSE_NETWORK_RANGE: '10.0.0.0' });
    expect(code).toBe(2);
    expect(stderr).toContain('GATEHOUSE_NETWORK_RANGE 10.0.0.0 is not an IPv4 block');
  });
});

describeWhen(await everythingServer(), 'gatehouse run of an image with a transport label', ({ engine }) => {
  const gatehouse = useGatehouse(engine);

  it.each([
    ['ends at once', ['true'], 'ended with exit code 0 before it answered; it may speak stdio'],
    ['reads its standard input', ['cat'], 'ended with exit code 0 before it answered; it may speak stdio'],
    [
      'ends with an error',
      ['sh', '-c', 'echo no TOKEN >&2; exit 3'],
      'ended with exit code 3 before it answered\n  | no TOKEN',
    ],
    ['waits and listens on nothing', ['sleep', '60'], 'did not answer within 2 s', '2s'],
  ])(
    'names --transport stdio when the server %s',
    async (_what, command, sentence, limit = '30s') => {
      const { code, stderr } = await gatehouse.call([
        'run',
        await baseImage(engine),
        '--name',
        'odd',
        '--isolate-network=false',
        '--start-timeout',
        limit,
        '--',
        ...command,
      ]);
      expect(code).toBe(1);
      expect(stderr).toContain(sentence);
      expect(stderr).toContain('--transport stdio   when the server speaks on standard streams');
      expect(await gatehouse.leftovers()).toEqual([]);
    },
    60_000,
  );
});

describeWhen(await everythingServer(), 'gatehouse run --host 0.0.0.0', ({ engine, image }) => {
  const gatehouse = useGatehouse(engine);

  const fetchStatus = (port: number, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/mcp', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  it('prints a warning at run and start, and refuses other host names and origins', async () => {
    const flags = ['--isolate-network=false', '--host', '0.0.0.0', '--transport', 'stdio'];
    const { shown, stderr } = await gatehouse.run([image, '--name', 'open', ...flags]);
    expect(stderr).toContain('Warning: With --host 0.0.0.0 every machine that reaches this one can call the server');
    const { port } = shown;
    expect(await fetchStatus(port, { host: 'evil.example' })).toBe(403);
    expect(await fetchStatus(port, { host: '203.0.113.7', origin: 'http://evil.example' })).toBe(403);
    expect(await fetchStatus(port, { host: '203.0.113.7' })).not.toBe(403);
    await gatehouse.ok('stop', 'open');
    expect((await gatehouse.call(['start', 'open'])).stderr).toContain('Warning: With --host 0.0.0.0');
  }, 300_000);
});
