import { expect, it } from '@jest/globals';
import { complete, type ManifestCommands, type NameKind } from './complete.ts';

const COMMANDS: ManifestCommands = {
  run: {
    flags: {
      group: { type: 'option' },
      foreground: { type: 'boolean', char: 'f' },
      label: { type: 'option', char: 'l' },
    },
  },
  rm: { flags: { all: { type: 'boolean' } } },
  'group:create': {},
  'group:rm': {},
  'admin:groups:list': { flags: { group: { type: 'option' } } },
  list: { flags: { status: { type: 'option', options: ['running', 'stopped'] } } },
};
const NAMES: Record<NameKind, string[]> = {
  workload: ['one', 'two'],
  group: ['my office'],
  server: ['x/y'],
  setting: [],
};
const list = (kind: NameKind) => Promise.resolve(NAMES[kind]);

it.each<[string[], string[]]>([
  [[''], ['admin', 'group', 'list', 'rm', 'run']],
  [['r'], ['rm', 'run']],
  [
    ['group', ''],
    ['create', 'rm'],
  ],
  [['group', 'rm', ''], ['my office']],
  [['rm', 't'], ['two']],
  [
    ['rm', 'one', ''],
    ['one', 'two'],
  ],
  [['rm', '--a'], ['--all']],
  [['run', ''], ['x/y']],
  [['run', '--group', ''], ['my office']],
  [['run', '--group', '=', 'my'], ['my office']],
  [['run', '--group', '='], ['my office']],
  [['run', '-l', ''], []],
  [['run', 'x', '--', ''], []],
  [['list', '--status', 'r'], ['running']],
  [
    ['nonsense', ''],
    ['admin', 'group', 'list', 'rm', 'run'],
  ],
  [['constructor', 'x'], []],
  [
    ['rm', 'x', '--constructor', ''],
    ['one', 'two'],
  ],
])('completes %j with %j', async (words, values) => {
  expect((await complete(words, COMMANDS, list)).map(({ value }) => value)).toEqual(values);
});
