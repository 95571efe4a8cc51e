import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Gatehouse, type Shown } from './gatehouse.ts';
import { storeWorkload } from './stored-workload.ts';

describe('gatehouse group', () => {
  let gatehouse: Gatehouse;
  beforeEach(() => {
    gatehouse = new Gatehouse();
  });
  afterEach(() => rmSync(gatehouse.home, { recursive: true, force: true }));
  const nowhere = { DOCKER_HOST: 'unix:///nonexistent.sock' };
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await gatehouse.call(args, nowhere);
    return { code, stdout, stderr };
  };
  const names = async (...args: string[]) => {
    const shown = await gatehouse.json<Shown[]>('list', ...args);
    return shown.map(({ name }) => name);
  };

  it('creates, lists and removes groups', async () => {
    expect(await gatehouse.ok('group', 'create', 'my office')).toBe('my office\n');
    expect(await gatehouse.json('group', 'list')).toEqual([
      { name: 'default', registered_clients: [], workloads: [] },
      { name: 'my office', registered_clients: [], workloads: [] },
    ]);
    expect(await gatehouse.ok('group', 'ls')).toBe(
      'NAME       WORKLOADS  CLIENTS\ndefault    -          -\nmy office  -          -\n',
    );
    expect(await refusal('group', 'create', 'my office')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("The group 'my office' already exists"),
    });
    expect((await refusal('group', 'rm', 'my office')).stderr).toContain('repeat the command with --yes');
    await gatehouse.ok('group', 'rm', 'my office', '--yes');
    expect(await gatehouse.json('group', 'list')).toHaveLength(1);
  }, 30_000);

  it.each([
    [['group', 'create'], 'Give the name of the group'],
    [['group', 'create', 'Office'], "'office'   is a group name"],
    [['group', 'create', '../../etc'], 'is not a group name'],
    [['group', 'create', ''], 'is not a group name'],
    [['group', 'rm', 'default', '--yes'], "The group 'default' cannot be removed"],
    [['group', 'rm', 'office', '--yes'], 'There is no group office'],
    [['run', 'owner/server', '--group', 'office'], 'gatehouse group create office'],
    [['run', 'owner/server', '--group', 'A'], '--group'],
    [['run', 'owner/server', '--group', ''], '--group'],
    [['list', '--group', 'office'], 'There is no group office'],
    [['list', '--status', 'flying'], '--status'],
    [['list', '--label', '=x'], '--label'],
    [['stop', '--group', 'office'], 'There is no group office'],
    [['start', 'one', '--group', 'default'], '--group and names cannot be given together'],
    [['rm', '--all', '--group', 'default'], '--all and --group'],
  ])('refuses %j', async (args, sentence) => {
    expect(await refusal(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(await gatehouse.leftovers()).toEqual([]);
  });

  it('filters the list by group, label and status', async () => {
    await gatehouse.ok('group', 'create', 'office');
    storeWorkload(gatehouse.home, 'one', { container_labels: { tier: 'web' } });
    storeWorkload(gatehouse.home, 'two', { group: 'office', container_labels: { tier: 'web', zone: 'a' } });
    storeWorkload(gatehouse.home, 'three', { group: 'office', status: 'error' });
    expect(await names()).toEqual([]);
    expect(await names('-a')).toEqual(['one', 'three', 'two']);
    expect(await names('--group', 'office', '-a')).toEqual(['three', 'two']);
    expect(await names('--status', 'error', '--status', 'stopped')).toEqual(['one', 'three', 'two']);
    expect(await names('--status', 'stopped', '--label', 'tier=web', '-l', 'zone')).toEqual(['two']);
    expect(await gatehouse.ok('list', '-a')).toMatch(/^NAME +STATUS +URL +TRANSPORT +GROUP +IMAGE +CREATED\n/);
    expect((await gatehouse.call(['list', '--label', 'zone=b'])).stderr).toBe('No workload matches the filters\n');
    expect(await gatehouse.json('group', 'list')).toEqual([
      expect.objectContaining({ name: 'default', workloads: ['one'] }),
      expect.objectContaining({ name: 'office', workloads: ['three', 'two'] }),
    ]);
  }, 30_000);

  it('moves the workloads of a removed group to the group default', async () => {
    await gatehouse.ok('group', 'create', 'office');
    storeWorkload(gatehouse.home, 'one', { group: 'office' });
    expect((await refusal('group', 'rm', 'office')).stderr).toContain(
      "Remove the group 'office' and move its workload one to the group default?",
    );
    expect(await gatehouse.json('group', 'rm', 'office', '--yes')).toEqual({
      ...{ name: 'office', status: 'removed', removed_workloads: [], moved_workloads: ['one'] },
    });
    const path = join(gatehouse.home, 'workloads', 'one', 'run.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).not.toHaveProperty('group');
    expect(await names('-a', '--group', 'default')).toEqual(['one']);
  }, 30_000);

  it.each(['start', 'stop', 'rm'])('says that gatehouse %s found no workload in a group', async (command) => {
    await gatehouse.ok('group', 'create', 'office');
    const empty = await gatehouse.call([command, '--group', 'office', '--json'], nowhere);
    expect(empty).toMatchObject({ code: 0, stdout: '[]\n', stderr: "The group 'office' has no workload\n" });
    expect(await gatehouse.call([command, '--all'], nowhere)).toMatchObject({
      ...{ code: 0, stdout: '', stderr: 'There is no workload\n' },
    });
  });

  it('lets one of several concurrent commands create a group', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => gatehouse.call(['group', 'create', 'office'])));
    expect(all.map(({ code }) => code).sort()).toEqual([0, 4, 4, 4]);
  }, 30_000);
});
