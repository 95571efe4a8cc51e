import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { ScriptedEditors } from './scripted-editor.ts';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

interface Settings {
  limits: Record<string, number | null>;
  content: Record<string, unknown>;
  connectors: Record<string, unknown>;
}

const SETTINGS = ['admin', 'gateways', 'settings'];
const GATEHOUSE = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));
const editors = new ScriptedEditors();
let platform: LocalPlatform;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
});
afterAll(async () => {
  await platform.stop();
  editors.remove();
});

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call([...SETTINGS, ...args]);
const show = () => platform.gatehouse.json<Settings>(...SETTINGS, 'show');
const edit = (script: string, ...args: string[]): Promise<Ended> =>
  platform.gatehouse.call([...SETTINGS, 'edit', ...args], editors.create(script));

describe('gatehouse admin gateways settings', () => {
  it('shows the defaults', async () => {
    expect((await call('show')).stdout).toMatch(/^limits:\n {2}calls_per_minute_per_person: null\n/);
    expect((await show()).limits['max_result_bytes']).toBeNull();
  });

  it('sets and clears single limits', async () => {
    const { code, stderr } = await call('set', 'limits.calls_per_minute_per_person=60', 'limits.sessions_per_person=5');
    expect([code, stderr]).toEqual([0, 'The settings of the gateway local are changed\n']);
    expect((await show()).limits).toMatchObject({ calls_per_minute_per_person: 60, sessions_per_person: 5 });
    await call('set', 'limits.sessions_per_person=null');
    expect((await show()).limits).toMatchObject({ calls_per_minute_per_person: 60, sessions_per_person: null });
  });

  it('sets and shows content controls', async () => {
    const patterns = ['AKIA[0-9A-Z]{16}', '\\d{3}-\\d{4}'];
    const hosts = ['login.example.com', '*.example.org:8443'];
    const assignments = [
      `content.redaction_patterns=${JSON.stringify(patterns)}`,
      `content.elicitation_hosts=${JSON.stringify(hosts)}`,
    ];
    expect((await call('set', ...assignments)).code).toBe(0);
    expect((await show()).content).toMatchObject({ redaction_patterns: patterns, elicitation_hosts: hosts });
    expect((await call('show')).stdout).toContain('AKIA[0-9A-Z]{16}');
    await call('set', 'content.redaction_patterns=[]', 'content.elicitation_hosts=[]');
  });

  it.each([
    [['set', 'limits.sessions_per_person'], 'must be NAME=VALUE'],
    [['set', 'limits.sessions_per_person=0'], 'limits.sessions_per_person'],
    [['set', 'limits.surprise=1'], 'limits.surprise'],
    [['set', 'content.tool_pinning=maybe'], 'content.tool_pinning'],
    [['set', 'content.redaction_patterns=["("]'], 'content.redaction_patterns[0]: is not a regular expression of RE2'],
    [['set', 'content.elicitation_hosts=["*.com"]'], 'content.elicitation_hosts[0]: is not a host'],
    [['set'], 'setting'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await call(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('names an unknown gateway', async () => {
    const { code, stderr } = await call('show', '--gateway', 'nowhere');
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no such gateway')]);
  });

  it('sends what the editor changed', async () => {
    const { code, stderr } = await edit(`sed -i 's/max_result_bytes: null/max_result_bytes: 5000/' "$1"`);
    expect([code, stderr]).toEqual([0, 'The settings of the gateway local are changed\n']);
    expect((await show()).limits['max_result_bytes']).toBe(5000);
    expect((await edit('true')).stderr).toBe('The settings of the gateway local are unchanged; nothing was sent\n');
  });

  it('keeps a text that the manager refuses', async () => {
    const { code, stderr } = await edit(`sed -i 's/max_argument_bytes: null/max_argument_bytes: -3/' "$1"`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('limits.max_argument_bytes')]);
    expect(stderr).toMatch(/^Try: gatehouse admin gateways settings edit --gateway local --file \S+ --if-match /m);
    expect(editors.takeKeptTexts()).toEqual([expect.stringContaining('max_argument_bytes: -3')]);
  });

  it('does not overwrite a change that others made during the edit', async () => {
    const bin = `${process.execPath} -- ${GATEHOUSE} ${SETTINGS.join(' ')} set limits.max_result_bytes=6000`;
    const { code, stderr } = await edit(`${bin} && sed -i 's/max_result_bytes: 5000/max_result_bytes: 7000/' "$1"`);
    expect(code).toBe(4);
    expect(stderr).toContain('+  max_result_bytes: 6000');
    expect(stderr).toContain('+  max_result_bytes: 7000');
    expect((await show()).limits['max_result_bytes']).toBe(6000);
    expect(editors.takeKeptTexts()).toEqual([expect.stringContaining('max_result_bytes: 7000')]);
  });
});
