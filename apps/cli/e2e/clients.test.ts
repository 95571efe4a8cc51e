import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine } from '@gatehouse/testing/images';
import { Gatehouse, type Shown } from './gatehouse.ts';
import { runOnTerminal, terminalProgram } from './terminal.ts';

const TEXT = '{\n  // my servers\n  "mcpServers": {\n    "other": { "command": "npx" }, // keep\n  },\n}\n';

interface ShownClient {
  client: string;
  installed: boolean;
  groups: string[];
  file: string;
  workloads: string[];
}

/** The command line with its own home folder of a user, who has the client Cursor. */
function createUser(gatehouse: Gatehouse) {
  const home = join(gatehouse.home, 'user');
  const file = join(home, '.cursor', 'mcp.json');
  mkdirSync(join(home, '.cursor'), { recursive: true });
  writeFileSync(file, TEXT);
  const env = { HOME: home, XDG_STATE_HOME: '', XDG_CONFIG_HOME: '', CODEX_HOME: '', CLAUDE_CONFIG_DIR: '' };
  const call = (...args: string[]) => gatehouse.call(args, env);
  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await call(...args);
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
    return stdout;
  };
  return { home, file, env, call, ok };
}

describe('gatehouse client', () => {
  const gatehouse = new Gatehouse();
  const user = createUser(gatehouse);
  const show = async (...args: string[]) =>
    JSON.parse(await user.ok('client', 'status', ...args, '--json')) as ShownClient[];
  afterAll(() => gatehouse.close());

  it('finds the clients of the machine', async () => {
    const [found, ...others] = await show();
    expect(found).toMatchObject({ client: 'cursor', installed: true, groups: [], file: user.file, workloads: [] });
    expect(others).toEqual([]);
    expect(await user.ok('client', 'status')).toMatch(/^CLIENT +INSTALLED +GROUPS +WORKLOADS +FILE\ncursor +yes/);
    expect((await show('--all')).length).toBeGreaterThan(20);
  });

  it.each([
    [['register', 'cursr'], 'Try: cursor'],
    [['register', 'claude-desktop'], 'reads no servers with a URL'],
    [['register', 'cursor', '--group', 'nothing'], '--group nothing is not a group'],
    [['remove', 'cursor', '--group', '../x'], 'is not a group name'],
    [['register'], 'Give the name of a client'],
    [['setup'], 'Without a terminal, client setup needs --yes'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await user.call('client', ...args);
    expect(code).toBe(2);
    expect(stderr.replaceAll("'nothing'", 'nothing')).toContain(sentence);
  });

  it('registers nothing when a group or a client is unknown', async () => {
    expect(await user.call('client', 'register', 'cursor', 'unknown')).toMatchObject({ code: 2 });
    expect(await show()).toMatchObject([{ groups: [] }]);
  });

  it('registers a client for groups, and removes it from them', async () => {
    await user.ok('group', 'create', 'office');
    await user.ok('client', 'register', 'cursor', '--group', 'default,office');
    expect(await show()).toMatchObject([{ groups: ['default', 'office'] }]);
    expect(await user.ok('client', 'remove', 'cursor', '--group', 'office')).toBe('cursor no longer lists office\n');
    expect(await show()).toMatchObject([{ groups: ['default'] }]);
    const removed = await user.ok('client', 'remove', 'cursor', '--json');
    expect(JSON.parse(removed)).toMatchObject([{ client: 'cursor', groups: [], removed_groups: ['default'] }]);
    const { code, stderr } = await user.call('client', 'remove', 'cursor', '--group', 'office');
    expect([code, stderr]).toEqual([0, 'cursor is not registered for office\n']);
    expect((await user.call('client', 'remove', 'cursor')).stderr).toBe('cursor is not registered for any group\n');
  });

  it('registers all clients that are found with --yes', async () => {
    expect(await user.ok('client', 'setup', '--yes')).toBe('cursor lists default\n');
    await user.ok('client', 'remove', 'cursor');
  });
});

describeWhen(terminalProgram, 'gatehouse client setup on a terminal', (script) => {
  it('asks until it understands the answer', async () => {
    const gatehouse = new Gatehouse();
    const user = createUser(gatehouse);
    try {
      const answers = [
        { after: 'Enter for none): ', type: '7\n' },
        { after: "'7' is not in the list", type: '' },
        { after: 'Enter for none): ', type: '1\n' },
      ];
      const env = { ...user.env, GATEHOUSE_HOME: gatehouse.home };
      const { code, shown } = await runOnTerminal(script, ['client', 'setup'], env, answers);
      expect([code, shown]).toEqual([0, expect.stringContaining('1  cursor  Cursor')]);
      expect(shown).toContain('cursor lists default');
    } finally {
      await gatehouse.close();
    }
  }, 30_000);
});

describeWhen(await imageEngine(), 'a workload and its clients', (engine) => {
  const gatehouse = new Gatehouse(engine);
  const user = createUser(gatehouse);
  const readServers = () => {
    const text = readFileSync(user.file, 'utf8');
    return [...text.matchAll(/"(\w+)": \{\n? *"(?:type|command)"/g)].map(([, name]) => name);
  };
  let url: string;

  beforeAll(async () => {
    const image = await everythingImage(engine);
    await user.ok('client', 'register', 'cursor', 'codex');
    const run = await user.call('run', image, '--name', 'files', '--json', '--', 'streamableHttp');
    expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
    const shown = JSON.parse(run.stdout) as Shown & { clients: string[] };
    expect(shown.clients).toEqual(['codex', 'cursor']);
    url = shown.url;
  }, 300_000);
  afterAll(() => gatehouse.close(), 60_000);

  it('are listed while it runs, and the files are as before when it stops', async () => {
    const codex = join(user.home, '.codex', 'config.toml');
    expect(readFileSync(codex, 'utf8')).toBe(`[mcp_servers.files]\nurl = "${url}"\n`);
    expect(readServers()).toEqual(['other', 'files']);
    expect(readFileSync(user.file, 'utf8')).toContain('// keep');
    await user.ok('stop', 'files');
    expect([readFileSync(user.file, 'utf8'), existsSync(codex)]).toEqual([TEXT, false]);
    await user.ok('start', 'files');
    expect(readServers()).toEqual(['other', 'files']);
  }, 60_000);

  it('are listed again after a registration, and no longer after its removal', async () => {
    await user.ok('client', 'remove', 'cursor');
    expect(readFileSync(user.file, 'utf8')).toBe(TEXT);
    expect(await user.ok('client', 'register', 'cursor')).toContain('cursor: files added');
    expect(readServers()).toEqual(['other', 'files']);
  }, 60_000);

  it('work although the file of a client is broken', async () => {
    const text = readFileSync(user.file, 'utf8');
    writeFileSync(user.file, '{');
    const { code, stderr } = await user.call('client', 'remove', 'cursor');
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Warning: cursor is not changed: ${user.file}:1:2 is`)]);
    expect(readFileSync(user.file, 'utf8')).toBe('{');
    writeFileSync(user.file, text);
    await user.ok('list');
    expect(readFileSync(user.file, 'utf8')).toBe(TEXT);
    await user.ok('client', 'register', 'cursor');
  }, 60_000);

  it('answers gatehouse mcp tools, resources and prompts', async () => {
    expect(await user.ok('mcp', 'tools', 'files')).toMatch(/^NAME +DESCRIPTION\necho +Echoes/);
    const tools = JSON.parse(await user.ok('mcp', 'tools', url, '--json')) as { name: string; inputSchema: object }[];
    expect(tools).toContainEqual(expect.objectContaining({ name: 'echo', inputSchema: expect.any(Object) }));
    expect(await user.ok('mcp', 'resources', 'files')).toContain('demo://');
    expect(await user.ok('mcp', 'prompts', 'files')).toContain('simple-prompt');
  }, 60_000);

  it('answers gatehouse mcp call', async () => {
    expect(await user.ok('mcp', 'call', 'files', 'echo', '--argument', 'message=a=1')).toBe('Echo: a=1\n');
    const result = await user.ok('mcp', 'call', 'files', 'get-sum', '--json-arguments', '{"a":1,"b":2}', '--json');
    expect(JSON.parse(result)).toMatchObject({ content: [{ type: 'text', text: 'The sum of 1 and 2 is 3.' }] });
    const piped = gatehouse.begin(
      ['mcp', 'call', 'files', 'echo', '--json-arguments', '-'],
      user.env,
      '{"message":"x"}',
    );
    expect(await piped.ended).toMatchObject({ code: 0, stdout: 'Echo: x\n' });
    const refused = await user.call('mcp', 'call', 'files', 'echo', '--json-arguments', '{}');
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('message') });
  }, 60_000);

  it.each([
    [['call', 'files', 'ecko'], "The server has no tool 'ecko'\nTry: echo"],
    [['call', 'files', 'echo'], 'The tool needs the argument message'],
    [['call', 'files', 'echo', '--argument', 'a=1', '--json-arguments', '{}'], 'cannot be given together'],
    [['tools', 'files', '--timeout', '5'], '--timeout 5 is not a duration'],
    [['tools', 'ftp://127.0.0.1/'], 'ftp://127.0.0.1/ is not an http or https URL'],
  ])('refuses gatehouse mcp %j', async (args, sentence) => {
    const { code, stdout, stderr } = await user.call('mcp', ...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)]);
  });

  it('shows progress, and cancels the call on Ctrl-C', async () => {
    const slow = ['--argument', 'duration=60', '--argument', 'steps=120'];
    const running = gatehouse.begin(['mcp', 'call', 'files', 'trigger-long-running-operation', ...slow], user.env);
    await running.says('1 of 120');
    running.process.kill('SIGINT');
    expect(await running.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringContaining('Interrupted'),
    });
  }, 60_000);

  it('shows its last requests by gatehouse inspect, without arguments', async () => {
    await user.ok('mcp', 'call', 'files', 'echo', '--argument', 'message=confidential');
    const text = await user.ok('inspect', 'files', '--json');
    const call = { method: 'tools/call', target: 'echo', status: 200, client: { name: 'gatehouse' } };
    expect(JSON.parse(text)).toContainEqual(
      expect.objectContaining({ ...call, client: expect.objectContaining(call.client) }),
    );
    expect(text).not.toContain('confidential');
    const following = gatehouse.begin(['inspect', 'files', '--follow'], user.env);
    await following.says('TIME');
    await user.ok('stop', 'files');
    const { code, stdout } = await following.ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/gatehouse \S+ +tools\/call +echo +200/)]);
    const refused = await user.call('inspect', 'files');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The proxy of files does not answer') });
  }, 60_000);

  it('lists a workload that the removal of its group moves to the group default', async () => {
    await user.ok('group', 'create', 'office');
    const flags = ['--group', 'office', '--transport', 'stdio', '--isolate-network=false'];
    await user.ok('run', await everythingImage(engine), '--name', 'moved', ...flags);
    expect(readServers()).not.toContain('moved');
    await user.ok('group', 'rm', 'office', '--yes');
    expect(readServers()).toContain('moved');
    await user.ok('rm', 'moved');
    expect(readServers()).not.toContain('moved');
  }, 60_000);

  it('removes its entries with the workload', async () => {
    await user.ok('rm', 'files');
    expect(readFileSync(user.file, 'utf8')).toBe(TEXT);
    expect(await user.call('mcp', 'tools', 'files')).toMatchObject({ code: 1 });
    expect(await user.call('mcp', 'tools', url)).toMatchObject({ code: 1, stderr: expect.stringContaining('reached') });
  }, 60_000);
});
