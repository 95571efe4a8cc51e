import { describe, expect, it } from '@jest/globals';
import { type CommandManifest, findDirectCommand } from './direct-command.ts';

const command = (...hiddenAliases: string[]) => ({ hiddenAliases }) as unknown as CommandManifest[string];
const COMMANDS: CommandManifest = {
  list: command('ls', 'ps'),
  run: command(),
  usage: command(),
  'usage:recharge': command(),
  'admin:users:list': command('admin:users:ls'),
};

describe('findDirectCommand', () => {
  it.each([
    ['list', 'list', []],
    ['ps -a', 'list', ['-a']],
    ['admin users ls --json x', 'admin:users:list', ['--json', 'x']],
    ['usage recharge', 'usage:recharge', []],
    ['usage --json recharge', 'usage', ['--json', 'recharge']],
    ['usage rechrge', 'usage', ['rechrge']],
    ['run list', 'run', ['list']],
    ['run image -- --help', 'run', ['image', '--', '--help']],
  ])('finds the command of %j', (line, id, rest) => {
    expect(findDirectCommand(line.split(' '), COMMANDS)).toEqual({ id, rest });
  });

  it.each(['', 'help list', 'list --help', 'list -h', 'admin', 'admin users', 'lst', '--json list', 'toString'])(
    'leaves %j to oclif',
    (line) => {
      expect(findDirectCommand(line.split(' '), COMMANDS)).toBeUndefined();
    },
  );
});
