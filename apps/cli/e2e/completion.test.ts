import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { available, describeWhen, unavailable } from '@gatehouse/testing/fixture';
import { Gatehouse } from './gatehouse.ts';
import { storeWorkload } from './stored-workload.ts';

const gatehouse = new Gatehouse();
afterAll(() => rmSync(gatehouse.home, { recursive: true, force: true }));
const complete = async (...words: string[]) => {
  const { code, stdout } = await gatehouse.call(['__complete', ...words]);
  expect(code).toBe(0);
  return stdout.split('\n').map((line) => line.split('\t')[0]);
};

describe('gatehouse completion', () => {
  it('completes commands, flags and names', async () => {
    storeWorkload(gatehouse.home, 'files');
    expect(await complete('gro')).toEqual(['group', '']);
    expect(await complete('rm', '')).toEqual(['files', '']);
    expect(await complete('start', '--stop')).toEqual(['--stopped', '']);
    expect(await complete('settings', 'get', 'image')).toEqual(['image_verification', '']);
    expect(await complete('run', 'server-time')).toEqual(['server-time', '']);
  }, 30_000);

  it('prints a script that bash runs', async () => {
    const script = await gatehouse.ok('completion', 'bash');
    const test = `gatehouse() { printf 'my group\\tgroup\\n'; }; ${script}
COMP_WORDS=(gatehouse group rm ''); COMP_CWORD=3; _gatehouse; echo "\${COMPREPLY[0]}"; complete -p gatehouse`;
    expect(execFileSync('bash', ['-c', test], { encoding: 'utf8' })).toBe(
      'my\\ group\ncomplete -o default -F _gatehouse gatehouse\n',
    );
    expect((await gatehouse.call(['completion', 'tcsh'])).code).toBe(2);
  }, 30_000);
});

/** A shell of Debian. */
const findShell = (name: string) =>
  existsSync(`/usr/bin/${name}`)
    ? available(`/usr/bin/${name}`)
    : unavailable(`There is no ${name}: apt-get install ${name}.`);

/** Runs a script with `gatehouse`, which answers with two names and stores its arguments. */
async function runShell(shell: string, flag: string, prepare: (script: string) => string): Promise<string> {
  const folder = gatehouse.home;
  const answer = `#!/bin/sh\necho "$@" >> ${folder}/asked\nprintf 'my group\\tgroup\\nother:one\\tgroup\\n'\n`;
  writeFileSync(join(folder, 'gatehouse'), answer, { mode: 0o755 });
  const script = await gatehouse.ok('completion', shell.slice(shell.lastIndexOf('/') + 1));
  const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const shown = execFileSync(shell, [flag, '-c', prepare(script)], { env, encoding: 'utf8', cwd: folder });
  return `${shown}${readFileSync(join(folder, 'asked'), 'utf8').split('\n').at(-2) ?? ''}\n`;
}

describeWhen(findShell('zsh'), 'gatehouse completion zsh', (zsh) => {
  it('prints a script that zsh runs', async () => {
    // The line editor, which needs a terminal, sets the words and shows the candidates.
    const prepare = (script: string) => `autoload -Uz compinit; compinit -D -u
${script}
_describe() { print -rl -- "$1" "\${(@P)2}"; }
words=(gatehouse group rm ''); CURRENT=4; _gatehouse; print -r -- "$_comps[gatehouse]"`;
    expect(await runShell(zsh, '-f', prepare)).toBe(
      'gatehouse\nmy group:group\nother\\:one:group\n_gatehouse\n__complete group rm \n',
    );
  }, 30_000);
});

describeWhen(findShell('fish'), 'gatehouse completion fish', (fish) => {
  it('prints a script that fish runs, and that names no files beside candidates', async () => {
    const prepare = (script: string) => `${script}\ncomplete -C 'gatehouse group rm '`;
    expect(await runShell(fish, '--no-config', prepare)).toBe(
      'my group\tgroup\nother:one\tgroup\n__complete group rm \n',
    );
  }, 30_000);
});
