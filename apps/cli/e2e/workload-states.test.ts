import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import type { Shown } from './gatehouse.ts';
import { storeWorkload } from './stored-workload.ts';
import { smallServers, useGatehouse } from './test-home.ts';

const ended = { pid: 999_999_999, started: 'an earlier boot/1' };

describe('the states of a workload without a supervisor', () => {
  const gatehouse = useGatehouse();
  const getRemoval = () => join(gatehouse.home, 'workloads', 'one', 'removal.json');

  it.each([JSON.stringify(ended), '{', ''])('is removing after a killed removal that left %j', async (text) => {
    storeWorkload(gatehouse.home, 'one');
    writeFileSync(getRemoval(), text);
    expect(await gatehouse.list()).toEqual([
      expect.objectContaining({ status: 'removing', status_context: expect.stringContaining('gatehouse rm one') }),
    ]);
    expect((await gatehouse.json<Shown[]>('list')).length).toBe(1);
    expect(await gatehouse.call(['start', 'one'])).toMatchObject({
      ...{ code: 4, stderr: expect.stringContaining('one is being removed') },
    });
  });

  it('keeps its state when the engine does not answer the removal', async () => {
    storeWorkload(gatehouse.home, 'one');
    expect((await gatehouse.call(['rm', 'one'])).code).toBe(3);
    expect(existsSync(getRemoval())).toBe(false);
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ status: 'stopped' })]);
  });

  it('refuses --stopped without --all', async () => {
    expect((await gatehouse.call(['start', 'one', '--stopped'])).code).toBe(2);
  });
});

describeWhen(await smallServers(), 'the lifecycle of a workload', ({ engine, images }) => {
  const gatehouse = useGatehouse(engine);
  const run = () => gatehouse.ok('run', images.stdio, '--name', 'one', '--isolate-network=false');
  const getStatus = () => gatehouse.json<Shown>('status', 'one');
  const getStatusFile = () => join(gatehouse.home, 'workloads', 'one', 'status.json');

  it('starts with --all after a signal has ended its supervisor, but not after a stop', async () => {
    await run();
    const pid = gatehouse.supervisor('one');
    process.kill(pid, 'SIGTERM');
    await gatehouse.until('one', 'stopped');
    expect((await getStatus()).status_context).toContain('gatehouse start --all');
    await gatehouse.ok('start', '--all');
    expect(await getStatus()).toMatchObject({ status: 'running', restarts: 0, started_at: expect.any(String) });
    await gatehouse.ok('stop', 'one');
    expect((await gatehouse.call(['start', '--all'])).stderr).toContain('a command has stopped them: one');
    expect((await getStatus()).status).toBe('stopped');
    await gatehouse.ok('start', '--all', '--stopped');
    expect((await getStatus()).status).toBe('running');
  }, 60_000);

  it('is recovered by list when it ran at the shutdown of the machine', async () => {
    await run();
    process.kill(gatehouse.supervisor('one'), 'SIGTERM');
    await gatehouse.until('one', 'stopped');
    const status = JSON.parse(readFileSync(getStatusFile(), 'utf8')) as { process: { started: string } };
    status.process.started = 'an earlier boot/1';
    writeFileSync(getStatusFile(), JSON.stringify(status));
    expect((await gatehouse.call(['list'])).stderr).toContain('one: a new proxy is starting');
    await gatehouse.until('one', 'running');
  }, 60_000);

  it('is removed by the next removal after a killed one', async () => {
    await run();
    const removal = gatehouse.begin(['rm', 'one']);
    while (!existsSync(join(gatehouse.home, 'workloads', 'one', 'removal.json')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    removal.process.kill('SIGKILL');
    await once(removal.process, 'exit');
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ status: 'removing' })]);
    await gatehouse.ok('rm', 'one');
    await gatehouse.untilNothingIsLeft();
  }, 60_000);

  it('is removed once by two removals at the same time, and stopped by two stops', async () => {
    await run();
    const stops = await Promise.all([gatehouse.call(['stop', 'one']), gatehouse.call(['stop', 'one'])]);
    expect(stops.map(({ code }) => code)).toEqual([0, 0]);
    const removals = await Promise.all([gatehouse.call(['rm', 'one']), gatehouse.call(['rm', 'one'])]);
    expect(removals.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    for (const { code, stderr } of removals) if (code !== 0) expect(stderr).toContain("no workload named 'one'");
    await gatehouse.untilNothingIsLeft();
  }, 60_000);

  it('has stopped when the stop command is killed', async () => {
    await run();
    const stop = gatehouse.begin(['stop', 'one']);
    while (!readFileSync(getStatusFile(), 'utf8').includes('stop_requested'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    stop.process.kill('SIGKILL');
    await once(stop.process, 'exit');
    // The signal to the supervisor may be among the lost steps.
    await gatehouse.ok('stop', 'one');
    expect((await gatehouse.call(['start', '--all'])).stderr).toContain('a command has stopped them: one');
  }, 60_000);
});
