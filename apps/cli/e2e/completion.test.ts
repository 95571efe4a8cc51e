import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
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
