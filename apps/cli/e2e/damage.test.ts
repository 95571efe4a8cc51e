import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { nodeImage } from '@gatehouse/testing/images';
import { smallServers, useGatehouse } from './test-home.ts';

describeWhen(await smallServers(), 'a hostile or damaged environment', ({ engine, images }) => {
  const gatehouse = useGatehouse(engine);

  it.each([
    ['run.json', 'streamable-http'],
    ['status.json', 'streamable-http'],
    ['status.json', 'stdio'],
  ] as const)(
    'a damaged %s (%s) is shown, keeps no other workload from being shown, and rm leaves nothing',
    async (file, transport) => {
      await gatehouse.ok('run', images[transport], '--name', 'one', '--isolate-network=false');
      const folder = join(gatehouse.home, 'workloads', 'one');
      const path = join(folder, 'run.json');
      const config = readFileSync(path, 'utf8');
      writeFileSync(path, config.replace(/"engine": "[^"]*"/, '"engine": "carrier://pigeon"'));
      expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'unhealthy' })]);
      writeFileSync(path, config);
      const damaged = join(folder, file);
      writeFileSync(damaged, readFileSync(damaged, 'utf8').slice(0, 40));
      expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'error' })]);
      await gatehouse.ok('rm', 'one');
      await gatehouse.untilNothingIsLeft();
    },
    60_000,
  );

  const script = (code: string) => ['--', 'node', '-e', code];
  const silent = `require('http').createServer(() => {}).listen(8080)`;
  it.each([
    ['never answers', ['--start-timeout', '6s', ...script(silent)], 'does not answer it'],
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
      const { code, stdout, stderr } = await gatehouse.call([
        'run',
        node,
        '--name',
        'bad',
        '--isolate-network=false',
        ...args,
      ]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(sentence);
      expect(await gatehouse.leftovers()).toEqual([]);
    },
    60_000,
  );

  it('refuses flags that do not apply to the transport of the image, and leaves nothing', async () => {
    for (const flag of ['--target-port=80', '--target-host=localhost', '--stateless']) {
      const { code, stderr } = await gatehouse.call(['run', images.stdio, flag]);
      expect(code).toBe(2);
      expect(stderr).toContain(flag.replace(/=.*/, ''));
    }
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 60_000);
});
