import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { describeWhen, unavailable } from '@gatehouse/testing/fixture';
import { Gatehouse } from './gatehouse.ts';

const ANALYZE = '/usr/bin/systemd-analyze';
const analyzer = existsSync(ANALYZE)
  ? ({ available: true, value: ANALYZE } as const)
  : unavailable('there is no systemd-analyze: apt-get install systemd');
const gatehouse = new Gatehouse();
afterAll(() => rmSync(gatehouse.home, { recursive: true, force: true }));
const env = { XDG_CONFIG_HOME: join(gatehouse.home, 'config') };

describe('gatehouse service', () => {
  it('shows that nothing is installed, and removes nothing', async () => {
    const { stdout } = await gatehouse.call(['service', 'status', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ manager: 'systemd', installed: false, enabled: false });
    expect(await gatehouse.call(['service', 'remove'], env)).toMatchObject({
      ...{ code: 0, stderr: 'The service is not installed\n' },
    });
  }, 30_000);

  it('installs a unit, or says that the systemd of the user does not answer and changes nothing', async () => {
    const { code, stderr } = await gatehouse.call(['service', 'install'], env);
    const isInstalled = existsSync(join(gatehouse.home, 'config', 'systemd', 'user'));
    if (code === 0) expect(stderr).toContain('loginctl enable-linger');
    else expect(stderr).toMatch(/^Error: The systemd of this user does not answer: .+\nTry: /);
    expect([code, isInstalled]).toEqual(code === 0 ? [0, true] : [1, false]);
    await gatehouse.call(['service', 'remove'], env);
  }, 60_000);
});

describeWhen(analyzer, 'the unit of gatehouse service', (analyze) => {
  it('is valid for systemd and starts the installed command line', async () => {
    const unit = (await gatehouse.call(['service', 'install', '--dry-run'], env)).stdout;
    const path = join(gatehouse.home, 'gatehouse.service');
    writeFileSync(path, unit);
    const runtime = { ...process.env, XDG_RUNTIME_DIR: gatehouse.home };
    execFileSync(analyze, ['--user', 'verify', path], { env: runtime, stdio: 'pipe' });
    const [, words = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
    const [node = '', ...args] = [...words.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);
    const variables = [...unit.matchAll(/^Environment="(\w+)=(.*)"$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const service = { HOME: gatehouse.home, ...(Object.fromEntries(variables) as Record<string, string>) };
    expect(service).toMatchObject({ GATEHOUSE_HOME: gatehouse.home, PATH: expect.any(String) });
    expect(execFileSync(node, args, { encoding: 'utf8', env: service })).toBe('');
  }, 60_000);
});
