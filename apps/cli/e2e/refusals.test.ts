import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import type { Shown } from './gatehouse.ts';
import { everythingServer, useGatehouse } from './test-home.ts';

/** The commands in the manifest of oclif. */
const { commands } = JSON.parse(readFileSync(new URL('../oclif.manifest.json', import.meta.url), 'utf8')) as {
  commands: Record<string, { summary?: string; examples?: string[]; flags: object; hiddenAliases: string[] }>;
};

describe('gatehouse run before any start', () => {
  const gatehouse = useGatehouse();
  const nowhere = { DOCKER_HOST: 'unix:///nonexistent.sock' };

  it.each([
    [['run'], 'server'],
    [['run', 'image', '--nmae', 'x'], '--name   instead of --nmae'],
    [['run', 'image', '--proxy-prot=1'], '--proxy-port   instead of --proxy-prot'],
    [['run', 'image', '-z'], 'Unknown flag -z'],
    [['run', 'image', 'second'], 'second'],
    [['run', 'image', '--stateless=maybe'], '--stateless=maybe'],
    [['run', 'image', '--proxy-port', '70000'], '--proxy-port 70000'],
    [['run', 'image', '-p', 'x'], '--publish x'],
    [['run', 'image', '-l', 'x'], '--label x'],
    [['run', 'image', '-e', 'x'], '--env x'],
    [['run', 'image', '-v', '/nonexistent:/x'], '--volume /nonexistent:/x'],
    [['run', 'image', '--session-ttl', '-5s'], '--session-ttl'],
    [['run', 'image', '--transport', 'carrier-pigeon'], '--transport carrier-pigeon'],
    [['run', 'image', '--isolate-network', '--network', 'host'], '--isolate-network cannot be enforced'],
    [['run', 'image', '--isolate-network=maybe'], '--isolate-network=maybe'],
    [['run', 'npx://pack age'], 'npx://'],
    [['run', 'https://example.com/mcp', '--env', 'A=1'], 'remote server'],
    [['run', 'Not An Image'], 'Not An Image'],
    [['stop'], '--all'],
    [['rm', 'a', '--all'], '--all'],
    [['nonsense'], 'nonsense'],
    [['lst'], 'gatehouse list'],
    [['lst', '--help'], 'gatehouse list'],
    [['metering', 'export', '--help'], "Unknown command 'metering export'"],
    [['list', 'extra'], 'Unexpected argument: extra'],
    [['run', 'image', '-f=false'], '-f=false'],
    [['run', 'image', '--transport', 'stdio', '--target-port', '1'], '--target-port'],
    [['run', 'image', '-l', 'gatehouse.io/x=1'], '--label gatehouse.io/x=1'],
    [['run', 'image', '--env-file', '/dev/zero'], '--env-file /dev/zero'],
  ])('refuses %j with exit code 2 and a reason, with and without an engine', async (args, sentence) => {
    const { code, stdout, stderr } = await gatehouse.call(args, nowhere);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('reports an unavailable engine with exit code 3 and advice', async () => {
    const { code, stdout, stderr } = await gatehouse.call(['run', 'image'], nowhere);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^Error: No container engine answers at unix:\/\/\/nonexistent\.sock.*\nTry: /);
    expect(await gatehouse.leftovers()).toEqual([]);
  });

  it('prints an empty list, and reports an unknown workload', async () => {
    expect(await gatehouse.list()).toEqual([]);
    expect((await gatehouse.call(['status', 'unknown'])).code).toBe(1);
    expect((await gatehouse.call(['rm', '../../etc'])).code).toBe(1);
  });

  it('has a summary in the same form and an example for every command', () => {
    expect(Object.keys(commands).length).toBeGreaterThan(50);
    for (const [id, { summary = '', examples = [], flags }] of Object.entries(commands)) {
      expect([id, summary]).toEqual([id, expect.stringMatching(/^[a-z].*[^.]$/)]);
      expect([id, examples[0]]).toEqual([id, expect.stringContaining(`> ${id.replaceAll(':', ' ')}`)]);
      expect([id, Object.keys(flags)]).toEqual([id, expect.arrayContaining(['json', 'debug', 'help'])]);
    }
  });

  it('accepts `get` and `show` as synonyms', async () => {
    const other = (id: string) => id.replace(/(get|show)$/, (word) => (word === 'get' ? 'show' : 'get'));
    const shown = Object.entries(commands).filter(([id]) => /(^|:)(get|show)$/.test(id));
    expect(shown.length).toBeGreaterThan(10);
    for (const [id, { hiddenAliases }] of shown) expect([id, hiddenAliases]).toEqual([id, [other(id)]]);
    expect(await gatehouse.ok('admin', 'users', 'show', '--help')).toMatch(/^show a user\n/);
  });

  it('accepts `ls` for `list`, and `ps` for the list of workloads', async () => {
    const lists = Object.entries(commands).filter(([id]) => /(^|:)list$/.test(id));
    expect(lists.length).toBeGreaterThan(10);
    for (const [id, { hiddenAliases }] of lists) {
      const ls = id.replace(/list$/, 'ls');
      expect([id, hiddenAliases]).toEqual([id, id === 'list' ? ['ls', 'ps'] : [ls]]);
    }
    expect(await gatehouse.ok('ps', '--json')).toBe('[]\n');
  });

  it('has --yes on every destructive command', () => {
    const destructive =
      /(^|:)(rm|delete|revoke|withdraw|unpublish|unstage|replace|disable-key|remove-user|remove-subgroup)$/;
    const found = Object.entries(commands).filter(([id]) => destructive.test(id));
    expect(found.length).toBeGreaterThan(15);
    for (const [id, { flags }] of found)
      expect([id, Object.keys(flags)]).toEqual([id, expect.arrayContaining(['yes'])]);
  });

  it('prints a failure as one JSON document on stdout under --json, and the sentence on stderr', async () => {
    const cases: [string[], object, string][] = [
      [['run', 'image', '--proxy-port', '70000'], { kind: 'usage', exit_code: 2, try: [] }, '--proxy-port 70000'],
      [['run', 'image', '--nmae', 'x'], { kind: 'usage', exit_code: 2 }, 'Unknown flag --nmae'],
      [['run', 'image', '--name'], { kind: 'usage', exit_code: 2 }, '--name expects a value'],
      [['status'], { kind: 'usage', exit_code: 2, try: ['gatehouse status --help'] }, 'name of the workload'],
      [['run', 'image'], { kind: 'no-engine', exit_code: 3 }, 'No container engine'],
      [['status', 'unknown'], { kind: 'failed', exit_code: 1, try: [expect.stringContaining('list -a')] }, 'unknown'],
      [['nonsense'], { kind: 'usage', exit_code: 2 }, "Unknown command 'nonsense'"],
    ];
    for (const [args, error, message] of cases) {
      const { code, stdout, stderr } = await gatehouse.call([...args, '--json'], nowhere);
      const document = JSON.parse(stdout) as { error: { message: string; exit_code: number } };
      expect([args, document]).toEqual([args, { error: expect.objectContaining(error) }]);
      expect([args, document.error.message]).toEqual([args, expect.stringContaining(message)]);
      expect([args, document.error.exit_code]).toEqual([args, code]);
      expect([args, stderr]).toEqual([args, expect.stringContaining(`Error: ${document.error.message}`)]);
    }
    // Arguments after -- belong to the server.
    expect((await gatehouse.call(['run', 'image', '--', '--json'], nowhere)).stdout).toBe('');
  }, 60_000);

  it('answers --version and --help', async () => {
    expect(await gatehouse.ok('--version')).toMatch(/^gatehouse \d+\.\d+\.\d+\n$/);
    expect(await gatehouse.ok('version')).toBe(await gatehouse.ok('--version'));
    const [topics] = (await gatehouse.ok('--help')).split('COMMANDS');
    expect(topics).toMatch(/^ {2}group /m);
    expect(topics).not.toMatch(/^ {2}(?:up|usage) /m);
    for (const command of ['run', 'list', 'stop', 'rm', 'start', 'logs', 'status', 'version']) {
      expect(await gatehouse.ok(command, '--help')).toContain('EXAMPLES');
    }
  }, 60_000);
});

describeWhen(await everythingServer(), 'a refused or failed run', ({ engine, image }) => {
  const gatehouse = useGatehouse(engine);
  const stdio = ['--isolate-network=false', '--transport', 'stdio'];
  const http = ['--isolate-network=false', '--', 'streamableHttp'];

  it('requires --yes for the removal of all workloads without a terminal', async () => {
    await gatehouse.ok('run', image, '--name', 'one', ...http);
    const { code, stderr } = await gatehouse.call(['rm', '--all']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Remove the only workload (one)? Without a terminal, --yes is required\nTry: repeat the command with --yes',
    );
    expect(await gatehouse.list()).toHaveLength(1);
    await gatehouse.ok('rm', '--all', '--yes');
    await gatehouse.untilNothingIsLeft();
    expect((await gatehouse.call(['rm', '--all'])).code).toBe(0);
  }, 60_000);

  it('gives a name to exactly one of several concurrent commands', async () => {
    const all = await Promise.all(
      Array.from({ length: 4 }, () => gatehouse.call(['run', image, '--name', 'one', ...http])),
    );
    expect(all.map(({ code }) => code).sort()).toEqual([0, 4, 4, 4]);
    expect(all.find(({ code }) => code === 4)?.stderr).toContain("'one' already exists");
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'running' })]);
    expect(await gatehouse.containers()).toHaveLength(1);
  }, 60_000);

  it('gives each workload its own port', async () => {
    const all = await Promise.all(
      ['a1', 'b1', 'c1'].map((name) => gatehouse.json<Shown>('run', image, '--name', name, ...stdio)),
    );
    expect(new Set(all.map(({ port }) => port)).size).toBe(3);
  }, 60_000);

  it('reports a used port with exit code 4', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    try {
      for (const flags of [
        ['--proxy-port', String(port)],
        ['-p', `${port}:80`],
      ]) {
        const { code, stderr } = await gatehouse.call(['run', image, '--name', 'one', ...flags, ...http]);
        expect(code).toBe(4);
        expect(stderr).toContain(`Port ${port}`);
      }
    } finally {
      holder.close();
    }
    await gatehouse.untilNothingIsLeft();
  }, 60_000);

  it('does not use the port of a stopped workload', async () => {
    const { port } = await gatehouse.json<Shown>('run', image, '--name', 'first', ...stdio);
    await gatehouse.ok('stop', 'first');
    const { code, stderr } = await gatehouse.call(['run', image, '--name', 'second', '--proxy-port', String(port)]);
    expect(code).toBe(4);
    expect(stderr).toContain('belongs to the workload first');
  }, 60_000);

  it.each([
    ['a server that ends at once', ['--', 'nonsense'], 'exit code 1'],
    ['a stdio server that ends at once', ['--transport', 'stdio', '--', 'nonsense'], 'Unknown transport'],
    [
      'a server on another port',
      ['--target-port', '9999', '--start-timeout', '2s', ...http],
      'port 9999 does not answer',
    ],
    [
      'a stdio server that never answers',
      ['--transport', 'stdio', '--start-timeout', '2s', ...http],
      'did not answer within 2 s',
    ],
    ['a network that is not there', ['--network', 'no-such-network', ...http], '--network no-such-network'],
    ['an address of another machine', ['--host', '192.0.2.1', ...http], '--host 192.0.2.1'],
  ])(
    'leaves nothing of %s',
    async (_what, args, sentence) => {
      const { code, stdout, stderr } = await gatehouse.call(['run', image, '--name', 'bad', ...args]);
      expect(code).toBe(sentence.startsWith('--') ? 2 : 1);
      expect(stdout).toBe('');
      expect(stderr).toContain(sentence);
      await gatehouse.untilNothingIsLeft();
    },
    60_000,
  );

  it('leaves nothing after a failed pull of the image', async () => {
    const { code, stderr } = await gatehouse.call(['run', '127.0.0.1:1/no/image:1']);
    expect(code).toBe(1);
    expect(stderr).toContain('127.0.0.1:1/no/image:1 is missing and cannot be pulled');
    expect(stderr).toContain('Try: check that a registry answers at 127.0.0.1:1\n');
    const unknown = await gatehouse.call(['run', 'no-such-host.invalid/image:1']);
    expect(unknown.stderr).toContain('Try: check the spelling of no-such-host.invalid, the registry');
    expect(stderr).not.toContain('gatehouse search');
    expect((await gatehouse.call(['run', 'no-such-image'])).stderr).toContain('gatehouse search no-such-image');
    await gatehouse.untilNothingIsLeft();
  }, 60_000);

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves nothing when it gets %s while it waits, and exits with 130',
    async (signal) => {
      const running = gatehouse.begin(['run', image, '--name', 'slow', '--target-port', '9999', ...http]);
      await running.says('waiting for the server');
      running.process.kill(signal);
      expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
      await gatehouse.untilNothingIsLeft();
    },
    60_000,
  );

  it('does not touch a container of the same name from another program', async () => {
    const name = `foreign-${Math.random().toString(36).slice(2, 8)}`;
    await gatehouse.ok('run', image, '--name', name, ...http);
    const [own] = await gatehouse.containers();
    const taken = own!.Names[0]!.slice(1);
    await gatehouse.ok('rm', name);
    const foreign = await engine.docker.createContainer({ name: taken, Image: image });
    try {
      const { code, stderr } = await gatehouse.call(['run', image, '--name', name, ...http]);
      expect(code).toBe(4);
      expect(stderr).toContain(taken);
      expect((await foreign.inspect()).Name).toBe(`/${taken}`);
      await gatehouse.untilNothingIsLeft();
    } finally {
      await foreign.remove({ force: true });
    }
  }, 60_000);
});
