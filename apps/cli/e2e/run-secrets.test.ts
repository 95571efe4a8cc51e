import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import type { Shown } from './gatehouse.ts';
import { everythingServer, useGatehouse } from './test-home.ts';

const VALUE = 'canary-value-81c4e6';
const PASSWORD = { GATEHOUSE_SECRETS_PASSWORD: 'canary-password-52b0' };

/** The text of a file of /proc; empty for a process that has ended. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const readNamespace = (pid: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return '';
  }
};

/**
 * The command lines of processes that have the value in an argument, or in their environment. Only
 * processes of a container, with another namespace, may have it there.
 */
const findLeakingProcesses = (): string[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      const isInContainer = readNamespace(pid) !== readNamespace('self');
      const texts = [readProcess(pid, 'cmdline'), isInContainer ? '' : readProcess(pid, 'environ')];
      return texts.some((text) => text.includes(VALUE));
    })
    .map((pid) => readProcess(pid, 'cmdline').replaceAll('\0', ' '));

const readFiles = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

describeWhen(await everythingServer(), 'the secrets of a workload', ({ engine, image }) => {
  const gatehouse = useGatehouse(engine);

  const setUp = async (env: NodeJS.ProcessEnv, ...flags: string[]) => {
    expect(await gatehouse.call(['secret', 'setup', ...flags], env)).toMatchObject({ code: 0 });
    expect(await gatehouse.begin(['secret', 'set', 'token'], env, VALUE).ended).toMatchObject({ code: 0 });
  };
  const runArguments = (...flags: string[]) => [
    ...[
      'run',
      image,
      '--name',
      'one',
      '--json',
      '--secret',
      'token,target=API_TOKEN',
      ...flags,
      '--',
      'streamableHttp',
    ],
  ];

  it('exist in the container only', async () => {
    await setUp({}, '--key-file', join(gatehouse.home, 'key'));
    const running = gatehouse.begin(runArguments('-e', 'API_TOKEN=of the flag', '--debug'));
    const during: string[] = [];
    const timer = setInterval(() => during.push(...findLeakingProcesses()), 50);
    await running.says('waiting for the server to answer').finally(() => clearInterval(timer));
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [container] = await gatehouse.containers();
    const { Config, State } = await engine.docker.getContainer(container!.Id).inspect();
    expect(Config.Env.filter((one) => one.startsWith('API_TOKEN='))).toEqual([`API_TOKEN=${VALUE}`]);
    expect(readProcess(String(State.Pid), 'environ')).toContain(VALUE);
    expect([...during, ...findLeakingProcesses()]).toEqual([]);
    const shown = [
      stdout,
      stderr,
      JSON.stringify(Config.Labels),
      await gatehouse.ok('list', '--json'),
      await gatehouse.ok('status', 'one', '--json'),
      await gatehouse.ok('logs', 'one'),
      await gatehouse.ok('logs', 'one', '--proxy'),
      await gatehouse.ok('export', 'one'),
      readFiles(gatehouse.home),
    ].join('\n');
    expect(shown).not.toContain(VALUE);
    expect(readFileSync(join(gatehouse.home, 'workloads', 'one', 'run.json'), 'utf8')).toContain(
      '"token,target=API_TOKEN"',
    );
  }, 120_000);

  it('are missed before anything starts, with the way to go on', async () => {
    const before = await gatehouse.call(runArguments(), PASSWORD);
    expect(before).toMatchObject({ code: 1, stderr: expect.stringContaining('Try: gatehouse secret setup') });
    await setUp(PASSWORD);
    const cases: [NodeJS.ProcessEnv, string[], number, string][] = [
      [PASSWORD, ['--secret', 'absent,target=A'], 1, 'Try: gatehouse secret set absent'],
      [{ GATEHOUSE_SECRETS_PASSWORD: 'another password' }, [], 1, 'GATEHOUSE_SECRETS_PASSWORD does not open'],
      [{}, [], 1, 'Try: GATEHOUSE_SECRETS_PASSWORD with the password'],
      [PASSWORD, ['--secret', VALUE], 2, '--secret is not in the form NAME,target=TARGET'],
      [PASSWORD, ['--secret', '__gatehouse_x,target=A'], 2, 'is reserved for Gatehouse itself'],
      [PASSWORD, ['--secret', 'token,target=A=B'], 2, 'has an = in its target'],
    ];
    for (const [env, flags, code, sentence] of cases) {
      const ended = await gatehouse.call(runArguments(...flags), env);
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(sentence)]);
      expect(ended.stderr).not.toContain(VALUE);
    }
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 120_000);

  it('are read anew when the workload comes back, which fails once without a password', async () => {
    await setUp(PASSWORD);
    expect(await gatehouse.call(runArguments(), PASSWORD)).toMatchObject({ code: 0 });
    expect(await gatehouse.begin(['secret', 'set', 'token'], PASSWORD, 'changed').ended).toMatchObject({ code: 0 });
    process.kill(gatehouse.supervisor('one'), 'SIGKILL');
    for (const { Id } of await gatehouse.containers()) await engine.docker.getContainer(Id).remove({ force: true });
    await gatehouse.list();
    const failed = await gatehouse.until('one', 'error');
    expect(failed.status_context).toMatch(/^The secrets of one cannot be read: .* gatehouse start one asks for it/);
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ status: 'error' })]);
    expect(await gatehouse.countProcesses(0)).toBe(0);

    const started = await gatehouse.call(['start', 'one', '--json'], PASSWORD);
    expect((JSON.parse(started.stdout) as Shown[])[0]).toMatchObject({ status: 'running' });
    const [container] = await gatehouse.containers();
    const { Config } = await engine.docker.getContainer(container!.Id).inspect();
    expect(Config.Env).toContain('API_TOKEN=changed');
  }, 120_000);
});
