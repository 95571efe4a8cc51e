import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine } from '@gatehouse/testing/images';
import { echo, Gatehouse, type Shown } from './gatehouse.ts';

const TRANSPORTS = [
  ['stdio', ['--transport', 'stdio', '--', 'stdio']],
  ['streamable-http', ['--', 'streamableHttp']],
] as const;

/** Times of a kill after the start of a run. A short test run takes one of them, by its seed. */
const PAUSES_MS = [0, 50, 100, 200, 400, 800];

describeWhen(await imageEngine(), 'a workload after the kill of a process', (engine) => {
  let gatehouse: Gatehouse;
  let image: string;
  beforeEach(async () => {
    gatehouse = new Gatehouse(engine);
    image = await everythingImage(engine);
  }, 300_000);
  afterEach(() => gatehouse.close(), 60_000);

  const runJson = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await gatehouse.call(['run', image, '--name', 'one', '--json', ...args]);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Shown;
  };

  /** Kills a container. That of the first probe of a stdio server can end at the same time. */
  const kill = (id: string) =>
    engine.docker
      .getContainer(id)
      .kill()
      .catch((error: unknown) => {
        if (![404, 409].includes((error as { statusCode: number }).statusCode)) throw error;
      });

  it.each(TRANSPORTS)(
    '%s: list tells that the proxy is gone, and brings it back on its port',
    async (_transport, args) => {
      const { url } = await runJson(args);
      process.kill(gatehouse.supervisor('one'), 'SIGKILL');
      expect(await gatehouse.list()).toEqual([
        expect.objectContaining({ status: 'unhealthy', status_context: expect.stringContaining('proxy') }),
      ]);
      await gatehouse.until('one', 'running');
      expect((await echo(url, 'back')).said).toEqual([{ type: 'text', text: 'Echo: back' }]);
      expect(gatehouse.processes()).toHaveLength(1);
    },
    60_000,
  );

  it.each(TRANSPORTS)(
    '%s: start brings back what lost its proxy and its containers, as after a restart of the machine',
    async (_transport, args) => {
      const { url } = await runJson(args);
      process.kill(gatehouse.supervisor('one'), 'SIGKILL');
      for (const { Id } of await gatehouse.containers())
        await engine.docker
          .getContainer(Id)
          .remove({ force: true })
          .catch(() => undefined);
      expect((await gatehouse.json<Shown>('status', 'one')).status).toBe('unhealthy');
      const all = await Promise.all([gatehouse.call(['start', '--all']), gatehouse.call(['list'])]);
      expect(all.map(({ code }) => code)).toEqual([0, 0]);
      await gatehouse.until('one', 'running');
      expect((await echo(url, 'back')).said).toEqual([{ type: 'text', text: 'Echo: back' }]);
      expect(gatehouse.processes()).toHaveLength(1);
    },
    60_000,
  );

  it.each(TRANSPORTS)(
    '%s: rm works when everything was killed',
    async (_transport, args) => {
      await runJson(args);
      process.kill(gatehouse.supervisor('one'), 'SIGKILL');
      await gatehouse.ok('rm', 'one');
      expect(await gatehouse.leftovers()).toEqual([]);
    },
    60_000,
  );

  it('is in error after the removal of its container, until start', async () => {
    const { url } = await runJson(['--', 'streamableHttp']);
    const [container] = await gatehouse.containers();
    await engine.docker.getContainer(container!.Id).remove({ force: true });
    const shown = await gatehouse.until('one', 'error');
    expect(shown.status_context).toContain('removed by another program');
    await gatehouse.ok('start', 'one');
    expect((await echo(url, 'back')).said).toEqual([{ type: 'text', text: 'Echo: back' }]);
  }, 60_000);

  it.each(TRANSPORTS)(
    '%s: a server that dies is started again behind the same URL',
    async (_transport, args) => {
      const { url } = await runJson(args);
      for (const { Id } of await gatehouse.containers()) await kill(Id);
      const waiting = await gatehouse.until('one', 'starting');
      expect(waiting.status_context).toContain('restarting in 5 s');
      await gatehouse.until('one', 'running');
      expect((await echo(url, 'back')).said).toEqual([{ type: 'text', text: 'Echo: back' }]);
    },
    60_000,
  );

  it('is starting while its server crashes repeatedly, and can be stopped and removed', async () => {
    await runJson(['--', 'streamableHttp']);
    const [container] = await gatehouse.containers();
    await engine.docker.getContainer(container!.Id).kill();
    await gatehouse.until('one', 'starting');
    await gatehouse.ok('stop', 'one');
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ status: 'stopped' })]);
    expect(gatehouse.processes()).toEqual([]);
    await gatehouse.ok('rm', 'one');
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 60_000);

  it.each(effort > 1 ? PAUSES_MS : PAUSES_MS.filter((_, at) => at === seed % PAUSES_MS.length))(
    'a run that is killed after %d ms leaves nothing, and its name is free',
    async (pause) => {
      const running = gatehouse.begin(['run', image, '--name', 'one', '--', 'streamableHttp']);
      await new Promise((resolve) => setTimeout(resolve, pause));
      running.process.kill('SIGKILL');
      await once(running.process, 'exit');
      await gatehouse.list();
      await gatehouse.untilNothingIsLeft();
      expect((await gatehouse.call(['run', image, '--name', 'one', '--', 'streamableHttp'])).code).toBe(0);
    },
    60_000,
  );
});
