import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getClientFile } from '../clients/client-paths.ts';
import { MCP_CLIENTS } from '../clients/client-table.ts';
import { changeConfigFile } from '../files/config-file.ts';
import { ClientConfigurations, type EntryChange } from './client-configurations.ts';

const URL = 'http://127.0.0.1:9001/mcp';
const SSE = 'http://127.0.0.1:9001/sse';
const OTHER = 'http://127.0.0.1:9002/mcp';
const cursor = MCP_CLIENTS.find(({ id }) => id === 'cursor')!;

let folder: string;
let file: string;
let configurations: ClientConfigurations;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'));
  configurations = open('home');
  file = join(folder, 'user', '.cursor', 'mcp.json');
  mkdirSync(dirname(file), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(home: string): ClientConfigurations {
  const machine = { platform: 'linux', home: join(folder, 'user'), variables: {} } as const;
  return new ClientConfigurations({ home: join(folder, home), lockFolder: join(folder, 'locks'), machine });
}

const want = (urls: Readonly<Record<string, string>>, clients = [cursor]) =>
  clients.flatMap((client) => Object.entries(urls).map(([name, url]) => ({ client, name, url })));
const sync = (urls: Readonly<Record<string, string>>, of = configurations) => of.sync(want(urls), () => true);
const actions = (changes: readonly EntryChange[]) => changes.map(({ name, action }) => `${name} ${action}`);
const readServers = () => (JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object }).mcpServers;

describe('ClientConfigurations', () => {
  it('creates a missing file for its owner only, and removes it again', async () => {
    rmSync(dirname(file), { recursive: true });
    expect(actions(await sync({ files: URL }))).toEqual(['files added']);
    expect(readServers()).toEqual({ files: { type: 'http', url: URL } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await sync({ files: URL })).toEqual([]);
    expect(actions(await sync({}))).toEqual(['files removed']);
    expect([existsSync(file), configurations.list()]).toEqual([false, {}]);
  });

  it.each([
    ['cursor', { type: 'sse', url: SSE }],
    ['cline', { type: 'sse', url: SSE }],
    ['copilot-cli', { type: 'sse', tools: ['*'], url: SSE }],
    ['gemini-cli', { url: SSE }],
    ['opencode', { type: 'remote', url: SSE }],
    ['windsurf', { type: 'sse', serverUrl: SSE }],
    ['goose', { name: 'files', type: 'sse', enabled: true, timeout: 60, description: '', uri: SSE }],
    ['continue', { name: 'files', type: 'sse', url: SSE }],
    ['mistral-vibe', { name: 'files', transport: 'http', url: SSE }],
    ['zed', { url: SSE }],
  ])('writes the transport HTTP with SSE for %s', async (id, entry) => {
    const client = MCP_CLIENTS.find((each) => each.id === id)!;
    await configurations.sync(want({ files: SSE }, [client]), () => true);
    expect(Object.values(configurations.list()).map(({ entries }) => entries['files']?.entry)).toEqual([entry]);
  });

  it('replaces the entry of a workload whose transport has changed', async () => {
    await sync({ files: URL });
    await sync({ files: SSE });
    expect(readServers()).toEqual({ files: { type: 'sse', url: SSE } });
  });

  it('keeps the rest of the file and its permissions', async () => {
    const text = '\uFEFF{\r\n  // mine\r\n  "mcpServers": { "a": {} },\r\n}';
    writeFileSync(file, text);
    chmodSync(file, 0o644);
    await sync({ files: URL });
    expect(statSync(file).mode & 0o777).toBe(0o644);
    await sync({});
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('follows symbolic links, also to a missing file', async () => {
    const target = join(folder, 'dotfiles', 'mcp.json');
    mkdirSync(dirname(target));
    symlinkSync('../../dotfiles/mcp.json', file);
    for (const text of [undefined, '{}']) {
      if (text !== undefined) writeFileSync(target, text);
      await sync({ files: URL });
      expect([lstatSync(file).isSymbolicLink(), existsSync(target)]).toEqual([true, true]);
      expect(readServers()).toEqual({ files: { type: 'http', url: URL } });
      await sync({});
      expect(existsSync(target) ? readFileSync(target, 'utf8') : undefined).toBe(text);
    }
  });

  it('updates the URL, and only changes workloads of its scope', async () => {
    await sync({ one: URL, two: URL });
    expect(actions(await configurations.sync(want({ one: OTHER }), (name) => name === 'one'))).toEqual(['one updated']);
    expect(readServers()).toMatchObject({ one: { url: OTHER }, two: { url: URL } });
    expect(actions(await configurations.sync([], (name) => name === 'one'))).toEqual(['one removed']);
    expect(Object.keys(readServers())).toEqual(['two']);
  });

  it('leaves an entry of the same name that Gatehouse did not write', async () => {
    const text = '{"mcpServers": {"files": {"command": "npx"}}}';
    writeFileSync(file, text);
    expect(actions(await sync({ files: URL }))).toEqual(['files foreign']);
    expect(await sync({ files: URL })).toEqual([]);
    expect(actions(await sync({ files: OTHER }))).toEqual(['files foreign']);
    expect(await sync({})).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('leaves the entry of a workload of the same name in another home', async () => {
    await sync({ files: URL });
    const other = open('other');
    expect(actions(await sync({ files: OTHER }, other))).toEqual(['files foreign']);
    expect(await sync({}, other)).toEqual([]);
    expect(readServers()).toMatchObject({ files: { url: URL } });
  });

  it('keeps the fields that were edited, and the entry at its removal', async () => {
    await sync({ files: URL });
    writeFileSync(file, readFileSync(file, 'utf8').replace('"type"', '"disabled": true, "type"'));
    expect(actions(await sync({ files: OTHER }))).toEqual(['files updated']);
    expect(readServers()).toEqual({ files: { disabled: true, type: 'http', url: OTHER } });
    expect(actions(await sync({}))).toEqual(['files edited']);
    expect(readServers()).toMatchObject({ files: { url: OTHER } });
    expect(configurations.list()).toEqual({});
  });

  it('does not write an entry again that the user has removed', async () => {
    await sync({ files: URL });
    writeFileSync(file, '{}');
    expect(await sync({ files: URL })).toEqual([]);
    expect(await sync({})).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });

  it('reports a broken file with the position and leaves it', async () => {
    await sync({ files: URL });
    writeFileSync(file, '{\n  "mcpServers": {,\n}');
    const broken = expect.stringContaining(`${file}:2:18 is not valid JSON`);
    expect(await sync({ files: OTHER })).toEqual([expect.objectContaining({ action: 'failed', reason: broken })]);
    expect(await sync({})).toEqual([expect.objectContaining({ action: 'failed', reason: broken })]);
    expect(readFileSync(file, 'utf8')).toBe('{\n  "mcpServers": {,\n}');
    writeFileSync(file, JSON.stringify({ mcpServers: { files: { type: 'http', url: URL } } }));
    expect(actions(await sync({}))).toEqual(['files removed']);
  });

  it.each([
    ['a folder', () => mkdirSync(file)],
    ['a loop of links', () => symlinkSync('mcp.json', file)],
    ['no UTF-8 text', () => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]))],
  ])('reports a file that is %s', async (_what, create) => {
    create();
    const [change] = await sync({ files: URL });
    expect(change).toMatchObject({ action: 'failed', reason: expect.stringContaining(file) });
    expect(configurations.list()).toEqual({});
  });

  it('completes the work of a killed command', async () => {
    await sync({ files: URL });
    const path = join(folder, 'home', 'client-entries.json');
    const written = readFileSync(path, 'utf8');
    // The command was killed after it had written the record, or after the entry.
    for (const text of ['{}', readFileSync(file, 'utf8')]) {
      writeFileSync(path, written.replace('"written"', '"writing"'));
      writeFileSync(file, text);
      await sync({ files: URL });
      expect(readServers()).toEqual({ files: { type: 'http', url: URL } });
      await sync({});
      expect([existsSync(file) && readServers(), configurations.list()]).toEqual([false, {}]);
      await sync({ files: URL });
    }
  });

  it('refuses damaged records instead of forgetting its entries', async () => {
    await sync({ files: URL });
    for (const text of ['', '[]', '{"files": {"x": {}}}']) {
      writeFileSync(join(folder, 'home', 'client-entries.json'), text);
      await expect(sync({})).rejects.toThrow('client-entries.json is damaged');
    }
  });

  it('adds the entries of every client beside each other', async () => {
    const all = want({ one: URL, two: OTHER }, [...MCP_CLIENTS]);
    expect(await configurations.sync(all, () => true)).toHaveLength(2 * MCP_CLIENTS.length);
    expect(await configurations.sync([], () => true)).toHaveLength(2 * MCP_CLIENTS.length);
    const machine = { platform: 'linux', home: join(folder, 'user'), variables: {} } as const;
    expect(MCP_CLIENTS.filter((client) => existsSync(getClientFile(client, machine)))).toEqual([]);
  });

  it('keeps the entries of concurrent commands of several homes', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => open(name).sync(want({ [name]: URL }), () => true)));
    expect(Object.keys(readServers()).sort()).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('changeConfigFile', () => {
  it('reads a file again that another program changes in the meantime', () => {
    writeFileSync(file, 'first');
    const read: (string | undefined)[] = [];
    changeConfigFile(file, (text) => {
      read.push(text);
      if (read.length === 1) writeFileSync(file, 'second');
      return `${text}, third`;
    });
    expect([read, readFileSync(file, 'utf8')]).toEqual([['first', 'second'], 'second, third']);
  });

  it('gives up when the file never stays the same', () => {
    let count = 0;
    const change = () => {
      writeFileSync(file, String(count++));
      return 'mine';
    };
    expect(() => changeConfigFile(file, change)).toThrow('was changed by another program again and again');
    expect(readFileSync(file, 'utf8')).toBe(String(count - 1));
  });
});
