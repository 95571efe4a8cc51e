import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isGroupName, requireGroupName } from '../flags/group-name.ts';
import { Groups } from './groups.ts';

let home: string;
let groups: Groups;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'groups-'));
  groups = new Groups(home);
});
afterEach(() => rmSync(home, { recursive: true }));

describe('isGroupName', () => {
  it.each(['default', 'a', 'my group', 'team_1-x', '0', 'a'.repeat(100)])('accepts %j', (name) =>
    expect(isGroupName(name)).toBe(true),
  );

  it.each(['', ' ', 'A', ' a', 'a ', 'a  b', 'a\tb', 'a\n', 'a/b', '..', 'a.b', 'ä', 'a\0', 'a'.repeat(101)])(
    'refuses %j',
    (name) => {
      expect(isGroupName(name)).toBe(false);
      expect(() => requireGroupName('--group', name)).toThrow('--group');
    },
  );

  it('suggests the valid form of a name', () => {
    const refused = () => requireGroupName('--group', ' My  Group ');
    expect(refused).toThrow(expect.objectContaining({ tryNext: ["'my group'   is a group name"] }));
  });
});

describe('Groups', () => {
  it('has the group default without a file', () => {
    expect(groups.list()).toEqual([{ name: 'default', registered_clients: [] }]);
    expect(groups.require('default').name).toBe('default');
  });

  it('gives a name to one of several callers', async () => {
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => new Groups(home).create('office')));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
    expect(groups.list().map(({ name }) => name)).toEqual(['default', 'office']);
    await expect(groups.create('default')).rejects.toThrow('already exists');
  });

  it('stores a group in a file of the known shape that only its owner can read', async () => {
    await groups.create('my group');
    const path = join(home, 'groups', 'my group.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ name: 'my group', registered_clients: [] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('keeps every client of concurrent changes, and the unknown fields of the file', async () => {
    await groups.create('office');
    const path = join(home, 'groups', 'office.json');
    writeFileSync(path, JSON.stringify({ name: 'office', registered_clients: null, skills: ['one'] }));
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => groups.changeClients('office', (clients) => [...clients, name])));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      name: 'office',
      registered_clients: names,
      skills: ['one'],
    });
    await groups.changeClients('default', () => ['cursor', 'cursor']);
    expect(groups.find('default')?.registered_clients).toEqual(['cursor']);
  });

  it('names the command that creates an unknown group', () => {
    expect(() => groups.require('my team')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: "--group 'my team' is not a group",
        tryNext: ["gatehouse group create 'my team'", expect.stringContaining('group list')],
      }),
    );
    expect(() => groups.require('../../etc')).toThrow('is not a group name');
  });

  it('adds no workload to a group that is being removed', async () => {
    await groups.create('office');
    const done: string[] = [];
    const removal = groups.remove('office', async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      done.push('emptied');
    });
    await expect(groups.whileExists('office', () => done.push('added'))).rejects.toThrow('is not a group');
    await removal;
    expect(done).toEqual(['emptied']);
    await expect(groups.remove('default', () => Promise.resolve())).rejects.toThrow('cannot be removed');
  });

  it.each(['', '{', '[]', '{"name":"other"}', '{"name":"office","registered_clients":"x"}'])(
    'names the damaged file with %j',
    async (text) => {
      await groups.create('office');
      writeFileSync(join(home, 'groups', 'office.json'), text);
      expect(() => groups.find('office')).toThrow(join(home, 'groups', 'office.json'));
    },
  );
});
