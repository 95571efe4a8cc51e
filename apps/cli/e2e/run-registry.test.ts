import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine } from '@gatehouse/testing/images';
import { packageImages } from '@gatehouse/testing/package-images';
import { freePort } from '@gatehouse/testing/ports';
import { Gatehouse, listTools, type Shown } from './gatehouse.ts';
import { runOnTerminal, terminalProgram } from './terminal.ts';

const STDIO = { type: 'stdio' };
const createEntry = (name: string, fields: object) => ({ name, description: 'Files', version: '1.0.0', ...fields });

describeWhen(await imageEngine(), 'gatehouse run of a name of the registry', (engine) => {
  let gatehouse: Gatehouse;
  let image: string;
  let proposedPort: number;
  beforeEach(async () => {
    gatehouse = new Gatehouse(engine);
    proposedPort = await freePort();
    image = await everythingImage(engine);
    const permissions = { network: { outbound: { allow_host: ['example.com'], allow_port: [443] } } };
    const variables = [
      { name: 'LEVEL', default: 'low', choices: ['low', 'high'] },
      { name: 'ACCOUNT', description: 'your account', isRequired: true },
      { name: 'TOKEN', description: 'your token', isRequired: true, isSecret: true },
    ];
    const everything = createEntry('com.example/everything', {
      packages: [
        {
          ...{ registryType: 'oci', identifier: image, environmentVariables: variables },
          transport: { type: 'streamable-http', url: 'http://localhost:3001/mcp' },
          packageArguments: [{ type: 'positional', value: 'streamableHttp' }],
        },
      ],
      _meta: {
        'io.modelcontextprotocol.registry/publisher-provided': {
          'io.github.stacklok': { [image]: { permissions, proxy_port: proposedPort } },
        },
      },
    });
    const headers = [{ name: 'X-Key', description: 'your key', isRequired: true, isSecret: true }];
    const remotes = [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp', headers }];
    const servers = [
      everything,
      createEntry('com.example/files', { packages: [{ registryType: 'oci', identifier: 'x:1', transport: STDIO }] }),
      createEntry('org.example/files', { packages: [{ registryType: 'oci', identifier: 'y:1', transport: STDIO }] }),
      createEntry('com.example/remote', { remotes }),
      createEntry('com.example/range', {
        packages: [{ registryType: 'npm', identifier: 'x', version: '^1.0.0', transport: STDIO }],
      }),
    ];
    const path = join(gatehouse.home, 'registry.json');
    writeFileSync(
      path,
      JSON.stringify({ version: '1', meta: { last_updated: '2026-11-26T00:00:00Z' }, data: { servers } }),
    );
    await gatehouse.ok('registry', 'set', path);
  }, 300_000);
  afterEach(() => gatehouse.close(), 60_000);

  it('takes image, transport, port, arguments, permissions and variables from the entry', async () => {
    const variables = join(gatehouse.home, 'variables');
    writeFileSync(variables, 'ACCOUNT=of the file\nTOKEN=of the file\n');
    const flags = ['--env-file', variables, '-e', 'LEVEL=high', '--json'];
    const { code, stdout, stderr } = await gatehouse.call(['run', 'everything', ...flags]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(`of the registry is ${image}`) });
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ name: 'everything', transport_type: 'streamable-http', port: proposedPort },
    });
    expect(JSON.parse(await gatehouse.ok('export', 'everything'))).toMatchObject({
      ...{ image, target_port: 3001, cmd_args: ['streamableHttp'], registry_server_name: 'com.example/everything' },
      env_vars: { LEVEL: 'high', ACCOUNT: 'of the file', TOKEN: 'of the file' },
      permission_profile: { network: { outbound: { allow_host: ['example.com'], allow_port: [443] } } },
    });
  }, 60_000);

  it('refuses what is missing, unclear or not possible here, before anything starts', async () => {
    const cases: [string[], number, string][] = [
      [['everything'], 2, 'ACCOUNT (your account), TOKEN (your token)'],
      [
        ['everything', '-e', 'ACCOUNT=a', '-e', 'TOKEN=b', '-e', 'LEVEL=x'],
        2,
        'LEVEL of com.example/everything must be one of',
      ],
      [['files'], 2, "2 servers named 'files': com.example/files, org.example/files"],
      [['com.example/remote'], 2, 'com.example/remote needs the header X-Key (your key)'],
      [['range'], 1, 'packages[0].version'],
      [['everythin'], 1, 'Try: gatehouse run everything'],
    ];
    for (const [args, code, sentence] of cases) {
      const ended = await gatehouse.call(['run', ...args]);
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(sentence)]);
    }
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 60_000);

  describeWhen(terminalProgram, 'on a terminal', (script) => {
    it('asks for what is missing, hides and stores secrets, and does not ask for them again', async () => {
      const terminal = { GATEHOUSE_HOME: gatehouse.home, DOCKER_HOST: engine.dockerHost };
      const env = { ...terminal, GATEHOUSE_SECRETS_PASSWORD: 'a long password' };
      expect(await gatehouse.call(['secret', 'setup', '--password-storage', 'prompt'], env)).toMatchObject({ code: 0 });
      const password = { after: 'Password of the secrets: ', type: 'a long password\n' };
      const { code, shown } = await runOnTerminal(script, ['run', 'everything'], terminal, [
        password,
        { after: 'ACCOUNT (your account): ', type: 'ada\n' },
        { after: 'TOKEN (your token): ', type: 'canary-value-9a31\n' },
      ]);
      expect({ code, shown }).toMatchObject({ code: 0 });
      expect(shown).not.toContain('canary-value-9a31');
      expect(shown.split(password.after)).toHaveLength(2);
      await gatehouse.ok('stop', 'everything');
      // A frame of the progress takes 80 ms.
      const slowly = { ...password, before: () => setTimeout(400) };
      const started = await runOnTerminal(script, ['start', 'everything'], terminal, [slowly]);
      const [, typing = ''] = started.shown.split(password.after);
      expect({ code: started.code, question: typing.split('\n')[0] }).toEqual({ code: 0, question: '\r' });
      const text = await gatehouse.ok('export', 'everything');
      expect(JSON.parse(text)).toMatchObject({
        env_vars: { LEVEL: 'low', ACCOUNT: 'ada' },
        secrets: ['com.example/everything/TOKEN,target=TOKEN'],
      });
      expect(text).not.toContain('canary-value-9a31');
      await gatehouse.ok('rm', 'everything', '--yes');
      const again = await gatehouse.call(['run', 'everything', '-e', 'ACCOUNT=a'], env);
      expect(again).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('TOKEN is the secret com.example/everything'),
      });
    }, 90_000);

    it('forgets the secrets of a run that failed', async () => {
      const env = {
        ...{ GATEHOUSE_HOME: gatehouse.home, DOCKER_HOST: engine.dockerHost },
        GATEHOUSE_SECRETS_PASSWORD: 'a long password',
      };
      await gatehouse.call(['secret', 'setup'], env);
      const flags = ['-e', 'ACCOUNT=a', '--network', 'no-such-network'];
      const { code } = await runOnTerminal(script, ['run', 'everything', ...flags], env, [
        { after: 'TOKEN (your token): ', type: 'canary-value-9a31\n' },
      ]);
      expect(code).toBe(2);
      expect((await gatehouse.call(['secret', 'list', '--json'], env)).stdout).toBe('[]\n');
    }, 60_000);
  });
});

describeWhen(await packageImages(), 'gatehouse run of the embedded registry', (images) => {
  it('runs a package in the version of its entry', async () => {
    const gatehouse = new Gatehouse(images.engine);
    try {
      const flags = ['--runtime-image', await images.uvx(), '--start-timeout', '3m', '--json'];
      const { code, stdout, stderr } = await gatehouse.call(['run', 'server-time', ...flags]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const shown = JSON.parse(stdout) as Shown & { package: string };
      expect(shown).toMatchObject({
        name: 'server-time',
        package: expect.stringMatching(/^uvx:\/\/mcp-server-time@\d/),
      });
      expect(await listTools(shown.url)).toEqual(['get_current_time', 'convert_time']);
    } finally {
      await gatehouse.close();
    }
  }, 300_000);
});
