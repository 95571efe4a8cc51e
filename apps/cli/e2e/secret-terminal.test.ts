import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gatehouse } from './gatehouse.ts';
import { storeWorkload } from './stored-workload.ts';

import { type Answer, runOnTerminal, terminalProgram } from './terminal.ts';

const PASSWORD = 'typed-password';
const VALUE = 'typed-value';
const NEW = { after: 'New password of the secrets (at least 8 characters): ', type: `${PASSWORD}\n` };
const AGAIN = { after: 'New password of the secrets again: ', type: `${PASSWORD}\n` };
const PRESENT = { after: 'Password of the secrets: ', type: `${PASSWORD}\n` };

describeWhen(terminalProgram, 'gatehouse secret on a terminal', (script) => {
  let gatehouse: Gatehouse;
  beforeEach(() => {
    gatehouse = new Gatehouse();
  });
  afterEach(() => rmSync(gatehouse.home, { recursive: true, force: true }));

  /** Runs a command on a terminal, on a system without a keyring. */
  const run = (args: string[], answers: readonly Answer[]) => {
    const env = { GATEHOUSE_HOME: gatehouse.home, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
    return runOnTerminal(script, ['secret', ...args], env, answers);
  };
  const file = () => join(gatehouse.home, 'secret-store', 'encrypted.json');

  it('asks for the password and the value, and shows neither', async () => {
    const setup = await run(['setup'], [NEW, AGAIN]);
    expect(setup).toMatchObject({ code: 0, shown: expect.stringContaining('Commands ask for its password') });
    const set = await run(['set', 'a'], [{ after: 'Value of a: ', type: `${VALUE}\n` }, PRESENT]);
    expect(set).toMatchObject({ code: 0, shown: expect.stringContaining('The secret a is stored') });
    const get = await run(['get', 'a'], [PRESENT]);
    expect(get).toMatchObject({ code: 0, shown: expect.stringContaining(VALUE) });
    expect(setup.shown + set.shown + get.shown).not.toContain(PASSWORD);
    expect(setup.shown + set.shown).not.toContain(VALUE);
  });

  it('asks on the terminal for the password while the value comes from a pipe', async () => {
    await run(['setup', '--password-storage', 'prompt'], [NEW, AGAIN]);
    const path = join(gatehouse.home, 'value');
    writeFileSync(path, `\u001b[2J${VALUE}\n`);
    expect(await run(['set', 'a', '<', path], [PRESENT])).toMatchObject({ code: 0 });
    const get = await run(['get', 'a'], [PRESENT]);
    expect(get.shown).toContain(`\\u001b[2J${VALUE}`);
    expect((await run(['get', 'a', '|', 'cat'], [PRESENT])).shown).toContain(`\u001b[2J${VALUE}`);
  });

  it.each([
    ['two different answers', [NEW, { ...AGAIN, type: 'another one\n' }], 2, 'The two answers are not the same'],
    [
      'a short password',
      [
        { ...NEW, type: 'short\n' },
        { ...AGAIN, type: 'short\n' },
      ],
      2,
      'at least 8 characters',
    ],
    ['Ctrl-C', [{ ...NEW, type: '\u0003' }], 130, 'Interrupted'],
    ['the end of the input', [{ ...NEW, type: '\u0004' }], 130, 'Interrupted'],
  ])('changes nothing after %s', async (_, answers, code, sentence) => {
    expect(await run(['setup'], answers)).toMatchObject({ code, shown: expect.stringContaining(sentence) });
    expect(existsSync(file())).toBe(false);
  });

  it('ends without a question when a variable gives the password', async () => {
    await run(['setup', '--password-storage', 'prompt'], [NEW, AGAIN]);
    const env = { GATEHOUSE_HOME: gatehouse.home, GATEHOUSE_SECRETS_PASSWORD: PASSWORD };
    const ended = await runOnTerminal(script, ['secret', 'list', '<', '/dev/null'], env, []);
    expect(ended).toMatchObject({ code: 0, shown: expect.stringContaining('No secrets in') });
  });

  it('corrects a typed text with backspace', async () => {
    await run(['setup'], [{ ...NEW, type: `x\u007f${PASSWORD}y\u007f\n` }, AGAIN]);
    expect(await run(['list'], [PRESENT])).toMatchObject({ code: 0 });
  });

  it('says that a typed password is wrong', async () => {
    await run(['setup'], [NEW, AGAIN]);
    expect(await run(['list'], [{ ...PRESENT, type: 'another one\n' }])).toMatchObject({
      code: 1,
      shown: expect.stringContaining('The password you typed does not open'),
    });
  });

  it('finds a name conflict before a server of the registry asks for its secret', async () => {
    storeWorkload(gatehouse.home, 'one');
    const env = { GATEHOUSE_HOME: gatehouse.home };
    const ended = await runOnTerminal(script, ['run', 'brave-search-mcp-server', '--name', 'one'], env, []);
    expect(ended).toMatchObject({ code: 4, shown: expect.stringContaining("A workload named 'one' already exists") });
    expect(ended.shown).not.toContain('BRAVE_API_KEY');
  });
});
