import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { describeWhen } from '@gatehouse/testing/fixture';
import { greet, type Shown } from './gatehouse.ts';
import { smallServers, TRANSPORTS, useGatehouse } from './test-home.ts';

const GREETING = [{ type: 'text', text: 'hello' }];

/** Times of a kill after the start of a run. A short test run takes one of them, by its seed. */
const PAUSES_MS = [0, 50, 100, 200, 400, 800];

describeWhen(await smallServers(), 'a workload after the kill of a process', ({ engine, images }) => {
  const gatehouse = useGatehouse(engine);

  const runJson = (transport: keyof typeof images) => gatehouse.json<Shown>('run', images[transport], '--name', 'one');
  const removeContainers = async () => {
    for (const { Id } of await gatehouse.containers())
      await engine.docker
        .getContainer(Id)
        .remove({ force: true })
        .catch(() => undefined);
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
    '%s: comes back after the kill of its server, of its proxy and of both, and is removed',
    async (transport) => {
      const { url } = await runJson(transport);
      for (const { Id } of await gatehouse.containers()) await kill(Id);
      const waiting = await gatehouse.until('one', 'starting');
      expect(waiting.status_context).toContain('restarting in 5 s');
      await gatehouse.until('one', 'running');
      expect(await greet(url)).toEqual(GREETING);

      process.kill(gatehouse.supervisor('one'), 'SIGKILL');
      expect(await gatehouse.list()).toEqual([
        expect.objectContaining({ status: 'unhealthy', status_context: expect.stringContaining('proxy') }),
      ]);
      await gatehouse.until('one', 'running');
      expect(await greet(url)).toEqual(GREETING);
      expect(await gatehouse.countProcesses(1)).toBe(1);

      // As after a restart of the machine.
      process.kill(gatehouse.supervisor('one'), 'SIGKILL');
      await removeContainers();
      expect((await gatehouse.json<Shown>('status', 'one')).status).toBe('unhealthy');
      const all = await Promise.all([gatehouse.call(['start', '--all']), gatehouse.call(['list'])]);
      expect(all.map(({ code }) => code)).toEqual([0, 0]);
      await gatehouse.until('one', 'running');
      expect(await greet(url)).toEqual(GREETING);
      expect(await gatehouse.countProcesses(1)).toBe(1);

      process.kill(gatehouse.supervisor('one'), 'SIGKILL');
      await gatehouse.ok('rm', 'one');
      expect(await gatehouse.leftovers()).toEqual([]);
    },
    120_000,
  );

  it('is in error after the removal of its container, and can be stopped while its server starts again', async () => {
    const { url } = await runJson('streamable-http');
    await removeContainers();
    const shown = await gatehouse.until('one', 'error');
    expect(shown.status_context).toContain('removed by another program');
    await gatehouse.ok('start', 'one');
    expect(await greet(url)).toEqual(GREETING);

    const [container] = await gatehouse.containers();
    await engine.docker.getContainer(container!.Id).kill();
    await gatehouse.until('one', 'starting');
    await gatehouse.ok('stop', 'one');
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ status: 'stopped' })]);
    expect(await gatehouse.countProcesses(0)).toBe(0);
    await gatehouse.ok('rm', 'one');
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 60_000);

  it.each(effort > 1 ? PAUSES_MS : PAUSES_MS.filter((_, at) => at === seed % PAUSES_MS.length))(
    'a run that is killed after %d ms leaves nothing, and its name is free',
    async (pause) => {
      const running = gatehouse.begin(['run', images['streamable-http'], '--name', 'one']);
      await new Promise((resolve) => setTimeout(resolve, pause));
      running.process.kill('SIGKILL');
      await once(running.process, 'exit');
      await gatehouse.list();
      await gatehouse.untilNothingIsLeft();
      expect((await gatehouse.call(['run', images['streamable-http'], '--name', 'one'])).code).toBe(0);
    },
    60_000,
  );
});
