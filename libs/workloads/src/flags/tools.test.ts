import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parseToolFlags, requireListedTools } from './tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file for `--tools-override` and returns its name. */
function writeOverrides(content: unknown): string {
  writeFileSync(join(folder, 'tools.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return 'tools.json';
}

const readOverrides = (content: unknown) =>
  parseToolFlags({ toolsOverride: writeOverrides(content) }, folder).overrides;

describe('--tools', () => {
  it('splits names at commas and may be repeated', () => {
    expect(parseToolFlags({ tools: ['a,b', ' c , a'] }, folder).filter).toEqual(['a', 'b', 'c']);
    expect(parseToolFlags({}, folder)).toEqual({ filter: [], overrides: {} });
  });

  it.each(['', 'a,,b', 'a,', ' '])('refuses the empty name in %j', (value) => {
    expect(() => parseToolFlags({ tools: [value] }, folder)).toThrow(`--tools ${value} has an empty name`);
  });

  it('has the names that clients see', () => {
    const toolsOverride = writeOverrides({ toolsOverride: { echo: { name: 'say' } } });
    expect(parseToolFlags({ tools: ['say'], toolsOverride }, folder).filter).toEqual(['say']);
    expect(() => parseToolFlags({ tools: ['echo'], toolsOverride }, folder)).toThrow(
      '--tools echo names a tool that --tools-override renames to say',
    );
  });
});

describe('--tools-override', () => {
  it('reads a file, also with a byte order mark and with members that have no meaning', () => {
    const toolsOverride = { echo: { name: 'say', description: 'Says.', title: 'x' }, read: { description: 'Reads.' } };
    expect(readOverrides(`\uFEFF${JSON.stringify({ toolsOverride, comment: '' })}`)).toEqual(toolsOverride);
  });

  it('swaps two names', () => {
    expect(readOverrides({ toolsOverride: { a: { name: 'b' }, b: { name: 'a' } } })).toEqual({
      a: { name: 'b' },
      b: { name: 'a' },
    });
  });

  it.each([
    ['is not JSON', 'x'],
    ['toolsOverride must be', {}],
    ['toolsOverride must be', { toolsOverride: null }],
    ['toolsOverride must be', { toolsOverride: { a: { name: 1 } } }],
    ['has no tool', { toolsOverride: {} }],
    ['a has neither a name nor a description', { toolsOverride: { a: { name: '' } } }],
    ['a tool with an empty name', { toolsOverride: { '': { name: 'a' } } }],
    ['gives the name b to two tools, a and b', { toolsOverride: { a: { name: 'b' }, b: { description: 'x' } } }],
  ])('refuses a file that %s', (problem, content) => {
    expect(() => readOverrides(content)).toThrow(problem);
  });

  it('names a file that cannot be read', () => {
    expect(() => parseToolFlags({ toolsOverride: 'missing.json' }, folder)).toThrow(
      '--tools-override missing.json cannot be read',
    );
  });
});

describe('requireListedTools', () => {
  const overrides = { echo: { name: 'say' } };

  it('accepts the tools of an entry, and all tools of an entry that lists none', () => {
    expect(() => requireListedTools({ filter: ['say', 'read'], overrides }, ['echo', 'read'])).not.toThrow();
    expect(() => requireListedTools({ filter: ['x'], overrides: { y: { name: 'z' } } }, [])).not.toThrow();
  });

  it('names a tool that the entry does not list', () => {
    expect(() => requireListedTools({ filter: ['delete'], overrides: {} }, ['echo'])).toThrow(
      '--tools delete is no tool of the server: the registry lists echo',
    );
    expect(() => requireListedTools({ filter: [], overrides: { delete: { name: 'x' } } }, ['echo'])).toThrow(
      '--tools-override names delete',
    );
  });
});
