import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const source = new URL('./lifecycle.ts', import.meta.url).href;

/** A program with closeOnSignal, whose close takes `closeMs`. */
const program = (closeMs: number, withParent = false) => `
  import { closeOnSignal } from ${JSON.stringify(source)};
  const log = { info: (fields) => console.log(JSON.stringify(fields)), error: () => console.log('failed') };
  closeOnSignal({ log, withParent: ${withParent}, close: () => new Promise((resolve) => setTimeout(() => { console.log('closed'); resolve(); }, ${closeMs})) });
  setInterval(() => {}, 1000);
  console.log('ready ' + process.pid);`;

const start = (code: string) =>
  spawn(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

async function ended(child: ReturnType<typeof start>, onReady: () => void): Promise<{ code: unknown; output: string }> {
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const before = output;
    output += chunk.toString();
    if (!before.includes('ready') && output.includes('ready')) onReady();
  });
  const [code] = (await once(child, 'close')) as [unknown];
  return { code, output };
}

describe('closeOnSignal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('closes and exits with 0 after %s', async (signal) => {
    const child = start(program(50));
    const { code, output } = await ended(child, () => child.kill(signal));
    expect([code, output.includes('closed'), output.includes(signal)]).toEqual([0, true, true]);
  });

  it('exits at once after a second signal', async () => {
    const child = start(program(60_000));
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('SIGTERM')) child.kill('SIGINT');
    });
    const { code, output } = await ended(child, () => child.kill('SIGTERM'));
    expect([code, output.includes('closed')]).toEqual([1, false]);
  });

  it('closes after the end of the parent process', async () => {
    const parent = start(`
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(program(10, true))}], { stdio: ['ignore', 'inherit', 'ignore'] });
      child.on('exit', () => process.exit(9));`);
    // The output closes at the end of the last process that has it open, which is the child.
    const { output } = await ended(parent, () => parent.kill('SIGKILL'));
    expect(output).toContain('the parent process is gone');
    expect(output).toContain('closed');
  });
});
