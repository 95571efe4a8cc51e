import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackendSecrets, getSecretId, readSecret, type SecretSource } from './backend-secrets.ts';

let folder: string;
let path: string;
let now: number;
let variables: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  path = join(folder, 'token');
  now = 0;
  variables = {};
});
afterEach(() => rmSync(folder, { recursive: true }));

const readVariable = (name: string) => variables[name];

function open(source: SecretSource) {
  const secrets = new BackendSecrets(readVariable, () => now);
  secrets.replaceSources(new Map([[getSecretId(source), source]]));
  return { secrets, place: { kind: 'managed', id: getSecretId(source) } as const };
}

describe('readSecret', () => {
  it('reads a variable, the file of NAME_FILE, or a file without its last line end', async () => {
    variables['A'] = 'from a variable';
    expect(await readSecret({ kind: 'variable', name: 'A' }, readVariable)).toBe('from a variable');
    writeFileSync(path, 'from a file\n');
    variables['B_FILE'] = path;
    expect(await readSecret({ kind: 'variable', name: 'B' }, readVariable)).toBe('from a file');
    expect(await readSecret({ kind: 'file', name: path }, readVariable)).toBe('from a file');
  });

  it('names the variable or the file that is missing or empty', async () => {
    await expect(readSecret({ kind: 'variable', name: 'A' }, readVariable)).rejects.toThrow(
      'names the variable A, which is not set; set A or A_FILE',
    );
    await expect(readSecret({ kind: 'file', name: path }, readVariable)).rejects.toThrow('cannot be read (ENOENT)');
    writeFileSync(path, '\n');
    await expect(readSecret({ kind: 'file', name: path }, readVariable)).rejects.toThrow('which is empty');
  });
});

describe('BackendSecrets', () => {
  it('reads a changed file after 5 s, or after the upstream refused the secret', async () => {
    writeFileSync(path, 'old');
    const { secrets, place } = open({ kind: 'file', name: path });
    expect(await secrets.get(place)).toBe('old');
    writeFileSync(path, 'new');
    expect(await secrets.get(place)).toBe('old');
    now = 5_000;
    expect(await secrets.get(place)).toBe('new');
    expect(await secrets.findNewerThan(place, 'new')).toBeUndefined();
    writeFileSync(path, 'newer');
    expect(await secrets.findNewerThan(place, 'new')).toBe('newer');
    expect(await secrets.get(place)).toBe('newer');
  });

  it('fails without repeating the secret, if it is gone, not known, or not fit for a header', async () => {
    const { secrets, place } = open({ kind: 'file', name: path });
    await expect(secrets.get(place)).rejects.toThrow('its secret is not available');
    writeFileSync(path, 'line\nbreak');
    await expect(secrets.get(place)).rejects.toThrow('characters that a header cannot carry');
    await expect(secrets.get({ kind: 'managed', id: 'variable OTHER' })).rejects.toThrow('its secret is not available');
  });
});
