import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, flag, loadConfig, port, renderSettings, secret, serviceSettings } from './config.ts';

const schema = z.object({
  ...serviceSettings,
  PORT: port(8080),
  SIGNING_KEY: secret(z.string().min(8)).optional(),
  EXTRA: flag(true),
});
const env = {
  AUDIENCE: 'gatehouse',
  ISSUERS: '[{"id":"local","issuer":"http://127.0.0.1:8090"}]',
  CURSOR_KEY: 'c'.repeat(32),
};

function listProblems(extra: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(schema, { ...env, ...extra });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const fileWith = (text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'gatehouse-config-')), 'secret');
  writeFileSync(path, text);
  return path;
};

describe('loadConfig', () => {
  it('uses defaults for unset and empty variables', () => {
    expect(loadConfig(schema, { ...env, PORT: '', LOG_LEVEL: '' })).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      METRICS_PORT: 0,
      LOG_LEVEL: 'info',
      EXIT_WITH_PARENT: false,
      EXTRA: true,
    });
    expect(
      loadConfig(schema, { ...env, PORT: '0', EXIT_WITH_PARENT: '1', PUBLIC_URL: 'https://gate.example.test/' }),
    ).toMatchObject({ PORT: 0, EXIT_WITH_PARENT: true, PUBLIC_URL: 'https://gate.example.test' });
  });

  it('reports all problems at once', () => {
    expect(
      listProblems({ AUDIENCE: undefined, PORT: '70000', LOG_LEVEL: 'loud', ISSUERS: '{', CURSOR_KEY: 'short' }),
    ).toEqual([
      'PORT: must be at most 65535',
      'LOG_LEVEL: must be one of "debug", "info", "warn", "error", "silent"',
      'AUDIENCE: is required',
      'ISSUERS: must be JSON',
      'CURSOR_KEY: must have at least 32 characters',
    ]);
    expect(listProblems({ ISSUERS: '[{"id":"A B","issuer":"ftp://x","colour":1}]' }).join()).toMatch(
      /ISSUERS\[0\]\.id.*ISSUERS\[0\]\.issuer.*ISSUERS\[0\]\.colour/,
    );
  });

  it('refuses a repeated id or issuer', () => {
    const issuers = (...list: [string, string][]) =>
      listProblems({ ISSUERS: JSON.stringify(list.map(([id, issuer]) => ({ id, issuer }))) });
    expect(issuers(['a', 'https://a.test'], ['b', 'https://b.test'])).toEqual([]);
    expect(issuers(['a', 'https://a.test'], ['a', 'https://a.test'])).toEqual([
      'ISSUERS[1].id: must differ from the id of earlier entries',
      'ISSUERS[1].issuer: must differ from the issuer of earlier entries',
    ]);
  });

  it('reads a secret from a file without the last line end', () => {
    const { SIGNING_KEY } = loadConfig(schema, { ...env, SIGNING_KEY_FILE: fileWith('from a file\n') });
    expect(SIGNING_KEY).toBe('from a file');
    const { CURSOR_KEY } = loadConfig(schema, {
      ...env,
      CURSOR_KEY: undefined,
      CURSOR_KEY_FILE: fileWith('d'.repeat(40)),
    });
    expect(CURSOR_KEY).toBe('d'.repeat(40));
  });

  it('refuses a file together with a value, an unreadable file, and a file for a variable without secrets', () => {
    expect(listProblems({ CURSOR_KEY_FILE: fileWith('e'.repeat(40)) })).toEqual([
      'CURSOR_KEY: set CURSOR_KEY or CURSOR_KEY_FILE, not both',
    ]);
    expect(listProblems({ CURSOR_KEY: undefined, CURSOR_KEY_FILE: '/nowhere/at/all' })).toEqual([
      'CURSOR_KEY: the file that CURSOR_KEY_FILE names cannot be read (ENOENT)',
    ]);
    expect(listProblems({ SIGNING_KEY_FILE: fileWith('\n') })).toEqual([
      'SIGNING_KEY: the file that SIGNING_KEY_FILE names is empty',
    ]);
    expect(
      listProblems({ CURSOR_KEY: undefined, CURSOR_KEY_FILE: tmpdir(), SIGNING_KEY_FILE: fileWith('short') }),
    ).toEqual([
      'CURSOR_KEY: the file that CURSOR_KEY_FILE names cannot be read (EISDIR)',
      'SIGNING_KEY: must have at least 8 characters',
    ]);
    expect(listProblems({ AUDIENCE: undefined, AUDIENCE_FILE: fileWith('x') })).toEqual(['AUDIENCE: is required']);
  });

  it('does not show values in its problems', () => {
    const canary = 'canary-55';
    const problems = listProblems({
      SIGNING_KEY: 'can-55',
      CURSOR_KEY: canary,
      ISSUERS: `{${canary}`,
      PORT: canary,
      LOG_LEVEL: canary,
    });
    expect(problems).toHaveLength(5);
    expect(problems.join()).not.toMatch(/can(ary)?-55/);
  });
});

describe('renderSettings', () => {
  it('returns a Markdown table', () => {
    const lines = renderSettings(schema).split('\n');
    expect(lines).toContain('| `PORT` |  | `8080` |');
    expect(lines.some((line) => /^\| `AUDIENCE` \| Required `aud` of access tokens.* \| required \|$/.test(line))).toBe(
      true,
    );
    expect(lines.some((line) => line.startsWith('| `CURSOR_KEY` or `CURSOR_KEY_FILE` |'))).toBe(true);
    expect(lines.some((line) => line.startsWith('| `SIGNING_KEY` or `SIGNING_KEY_FILE` |'))).toBe(true);
  });
});
