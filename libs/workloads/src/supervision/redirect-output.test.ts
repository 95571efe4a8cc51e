import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const source = new URL('./redirect-output.ts', import.meta.url).href;

describe('redirectOutput', () => {
  it('appends both outputs of a process without a terminal to the file, and its last error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-output-'));
    const path = join(folder, 'proxy.log');
    const code = `const { redirectOutput } = await import('${source}'); redirectOutput('${path}');
      console.log('one'); console.error('two'); setImmediate(() => { throw new Error('the last words'); });`;
    const run = () => execFileSync(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
    try {
      expect(run).toThrow('Command failed');
      expect(run).toThrow('Command failed');
      const text = readFileSync(path, 'utf8');
      expect(text.match(/^(one|two|Error: the last words)$/gm)).toHaveLength(6);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
