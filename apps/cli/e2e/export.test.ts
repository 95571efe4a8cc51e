import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import type { Shown } from './gatehouse.ts';
import { everythingServer, useGatehouse } from './test-home.ts';

const SECRET = { GATEHOUSE_SECRETS_PROVIDER: 'environment', GATEHOUSE_SECRET_tok: 'canary-value-55d0' };

describeWhen(await everythingServer(), 'an exported configuration', ({ engine, image }) => {
  const gatehouse = useGatehouse(engine);

  const call = (...args: string[]) => gatehouse.call(args, SECRET);
  const pipe = (document: object, ...args: string[]) =>
    gatehouse.begin(['run', '--from-config', '-', ...args], SECRET, JSON.stringify(document)).ended;

  it('runs the same workload again, under another name and in the place of itself', async () => {
    const flags = ['--name', 'one', '-e', 'API_TOKEN=in clear', '--secret', 'tok,target=OTHER_TOKEN', '--json'];
    const first = await call('run', image, ...flags, '--', 'streamableHttp');
    const { port } = JSON.parse(first.stdout) as Shown;
    const path = join(gatehouse.home, 'new', 'folder', 'one.json');
    expect(await call('export', 'one', path)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('values that can be secrets: API_TOKEN'),
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect((await call('export', 'one')).stdout).toBe(text);
    expect(text).not.toContain(SECRET.GATEHOUSE_SECRET_tok);
    const document = JSON.parse(text) as { image: string };
    expect(document).toMatchObject({
      name: 'one',
      port,
      secrets: ['tok,target=OTHER_TOKEN'],
      cmd_args: ['streamableHttp'],
    });

    const conflict = await call('run', '--from-config', path);
    expect([conflict.code, conflict.stderr]).toEqual([4, expect.stringContaining('Try: --replace')]);
    const broken = await pipe({ ...document, image: 'gatehouse.invalid/missing:1' }, '--replace');
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('is missing and cannot be pulled')]);
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'running' })]);

    const ending = await pipe({ ...document, cmd_args: ['nonsense'] }, '--replace');
    expect([ending.code, ending.stderr]).toEqual([1, expect.stringContaining('; the replaced workload runs again')]);
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'running', port })]);

    const copy = await pipe({ ...document, of_tomorrow: { a: 1 } }, '--name', 'two', '--json');
    expect((JSON.parse(copy.stdout) as Shown).port).not.toBe(port);
    expect(JSON.parse((await call('export', 'two')).stdout)).toMatchObject({ of_tomorrow: { a: 1 } });
    const again = await call('run', '--from-config', path, '--replace', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ name: 'one', port, status: 'running' });
    expect(again.stderr).not.toContain('Warning');
    expect(await gatehouse.containers()).toHaveLength(2);
  }, 120_000);

  it('starts nothing when it or its flags are wrong', async () => {
    const small = { name: 'small', image, transport: 'stdio', port: 21_999 };
    const cases: [object, string[], number, string][] = [
      [{ ...small, schema_version: 'v9.9.9' }, [], 2, 'this version of gatehouse reads v0.1.0'],
      [{ ...small, volumes: ['/missing:/data'] }, [], 2, "volumes /missing:/data names the host path '/missing'"],
      [{ ...small, group: 'nobody' }, [], 2, '--from-config: group nobody is not a group'],
      [{ ...small, rate_limit_config: { perUser: 1 } }, [], 2, 'does not support: rate_limit_config'],
      [{ ...small, secrets: ['absent,target=A'] }, [], 1, 'The secret absent is not in'],
      [small, ['-e', 'A=b', '--network', 'host'], 2, 'cannot be given together with --env, --network'],
      [small, ['--isolate-network=false'], 2, 'cannot be given together with --isolate-network'],
      [small, ['server-time'], 2, 'cannot be given together with a server (server-time)'],
      [small, ['--', 'x'], 2, 'cannot be given together with arguments after --'],
    ];
    for (const [document, flags, code, sentence] of cases) {
      const ended = await pipe(document, ...flags);
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(sentence)]);
    }
    const path = join(gatehouse.home, 'broken.json');
    writeFileSync(path, '{');
    for (const [args, code, sentence] of [
      [['run', '--from-config', path], 2, `--from-config ${path} is not JSON`],
      [['run', '--from-config', '/missing.json'], 2, '--from-config /missing.json cannot be read'],
      [['run', image, '--replace'], 2, '--replace has a meaning with --from-config only'],
      [['run'], 2, 'Give the server: a name of the registry'],
      [['export', 'nothing'], 1, "There is no workload named 'nothing'"],
      [['export', 'nothing', '--format', 'k8s'], 1, "There is no workload named 'nothing'"],
      [['export', 'nothing', '--format', 'helm'], 2, '--format helm is not a format'],
      [['export', 'nothing', '--egress-address', '10.0.0.1'], 2, 'has a meaning with --format k8s only'],
    ] as const) {
      const ended = await call(...args);
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(sentence)]);
    }
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 120_000);
});
