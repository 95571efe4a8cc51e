import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine, nodeImage } from '@gatehouse/testing/images';
import { Gatehouse } from './gatehouse.ts';

describeWhen(await imageEngine(), 'a hostile or damaged environment', (engine) => {
  let gatehouse: Gatehouse;
  let image: string;
  beforeEach(async () => {
    gatehouse = new Gatehouse(engine);
    image = await everythingImage(engine);
  }, 300_000);
  afterEach(() => gatehouse.close(), 60_000);

  it.each([
    ['run.json', ['--', 'streamableHttp']],
    ['status.json', ['--', 'streamableHttp']],
    ['status.json', ['--transport', 'stdio']],
  ])(
    'a damaged %s (%j) is shown, keeps no other workload from being shown, and rm leaves nothing',
    async (file, args) => {
      await gatehouse.ok('run', image, '--name', 'one', ...args);
      const path = join(gatehouse.home, 'workloads', 'one', file);
      writeFileSync(path, readFileSync(path, 'utf8').slice(0, 40));
      expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'error' })]);
      await gatehouse.ok('rm', 'one');
      await gatehouse.untilNothingIsLeft();
    },
    60_000,
  );

  it('an invalid engine address does not affect the list', async () => {
    await gatehouse.ok('run', image, '--name', 'one', '--', 'streamableHttp');
    const path = join(gatehouse.home, 'workloads', 'one', 'run.json');
    const config = readFileSync(path, 'utf8');
    writeFileSync(path, config.replace(/"engine": "[^"]*"/, '"engine": "carrier://pigeon"'));
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'unhealthy' })]);
    writeFileSync(path, config);
  }, 60_000);

  const script = (code: string) => ['--', 'node', '-e', code];
  const silent = `require('http').createServer(() => {}).listen(8080)`;
  it.each([
    ['never answers', ['--start-timeout', '2s', ...script(silent)], 'does not answer it'],
    [
      'prints only invalid messages',
      ['--transport', 'stdio', '--start-timeout', '2s', ...script(`setInterval(() => console.log('\\0{"x'), 5)`)],
      'does not answer initialize',
    ],
    [
      'forks without end',
      ['--start-timeout', '4s', ...script(`for (;;) require('child_process').spawn('sleep', ['100'])`)],
      'did not',
    ],
  ])(
    'a server that %s is given up, and nothing of it is left',
    async (_what, args, sentence) => {
      const node = await nodeImage(engine);
      const { code, stdout, stderr } = await gatehouse.call(['run', node, '--name', 'bad', ...args]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(sentence);
      expect(await gatehouse.leftovers()).toEqual([]);
    },
    60_000,
  );

  it('refuses flags that do not apply to the transport of the image, and creates nothing', async () => {
    for (const flag of ['--target-port=80', '--target-host=localhost', '--stateless']) {
      const { code, stderr } = await gatehouse.call(['run', image, '--transport', 'stdio', flag]);
      expect(code).toBe(2);
      expect(stderr).toContain(flag.replace(/=.*/, ''));
    }
    expect(existsSync(join(gatehouse.home, 'workloads'))).toBe(false);
  }, 60_000);
});
