import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { LineBuffer } from './line-buffer.ts';

const source = new URL('./line-buffer.ts', import.meta.url).href;

function logInto(writes: string[]) {
  const log = pino({ base: null, timestamp: false }, new LineBuffer({ write: (text) => void writes.push(text) }));
  const messages = () => writes.map((text) => [...text.matchAll(/"msg":"(\w+)"/g)].map(([, message]) => message));
  return { log, messages };
}

test('LineBuffer writes the lines of one turn together at its end', async () => {
  const { log, messages } = logInto([]);
  log.info('one');
  log.info('two');
  expect(messages()).toEqual([]);
  await new Promise(setImmediate);
  expect(messages()).toEqual([['one', 'two']]);
  log.info('three');
  await new Promise(setImmediate);
  expect(messages()).toEqual([['one', 'two'], ['three']]);
});

test.each(['warn', 'error', 'fatal'] as const)(
  'LineBuffer writes a line of level %s at once, after earlier lines',
  (level) => {
    const { log, messages } = logInto([]);
    log.info('before');
    log[level]('urgent');
    expect(messages()).toEqual([['before', 'urgent']]);
  },
);

test('LineBuffer writes within a turn when it has many lines', () => {
  const { log, messages } = logInto([]);
  for (let at = 0; at < 1_000; at += 1) log.info('x'.repeat(200));
  expect(messages().flat().length).toBeGreaterThan(600);
});

test.each(['process.exit(3)', 'throw new Error("unexpected")'])(
  'LineBuffer writes all lines when the process ends by %s',
  async (end) => {
    const program = `
    import { LineBuffer } from ${JSON.stringify(source)};
    import { writeSync } from 'node:fs';
    const lines = new LineBuffer({ write: (text) => void writeSync(1, text) });
    lines.lastLevel = 30;
    lines.write('the last words\\n');
    ${end};`;
    const ended = promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--disable-warning=ExperimentalWarning',
      '--eval',
      program,
    ]);
    await expect(ended).rejects.toMatchObject({ stdout: 'the last words\n' });
  },
);
