import { describe, expect, it } from '@jest/globals';
import { MCP_CLIENTS } from '../clients/client-table.ts';
import { createEntry } from '../clients/mcp-client.ts';
import { ConfigTextError } from '../files/client-file-error.ts';
import { findEntry, loadFormat, putEntry, removeEntry } from './edit-entry.ts';

const URL = 'http://127.0.0.1:9001/mcp';
const OTHER = 'http://127.0.0.1:9002/mcp';

/** Texts of each format. `SECTION` stands for the section of the client. */
const TEXTS = {
  json: [
    '',
    '\n',
    '// only a comment\n',
    '{}',
    '{ }',
    '{\n}\n',
    '{"SECTION":{}}',
    '{"SECTION":{"a":{"url":"x"}},"z":1}',
    '{ "SECTION": { "a": { "url": "x" } } }\n',
    '{\n  "SECTION": {\n  }\n}\n',
    '{\n  "SECTION": { // none yet\n  }\n}\n',
    '{\n  // settings\n  "theme": "dark", // as at night\n  "list": [1,2,   3],\n}\n',
    '{\n\t"SECTION": {\n\t\t"a": {\n\t\t\t"command": "npx" // the command\n\t\t} // about a\n\t\t/* last */\n\t},\n\t"z": [ ]\n}',
    '{\r\n    "SECTION": {\r\n        "a": {"url": "x"}, // about a\r\n    },\r\n}\r\n',
    '{\n  "SECTION": {\n    "a": {}\n  } }',
    '{ "x": 1,\n  "SECTION": {\n    "a": 1, "b": 2 }\n}',
  ],
  yaml: [
    '',
    '\n',
    '# only a comment\n',
    '---\n# settings\nmodel: x # the model\n',
    'model: x',
    'SECTION:\n',
    'SECTION: # none yet\nmodel: "x"\n',
    'a:   1\nSECTION: EMPTY\nb: [1,2,   3]\n',
    'a:   1\nSECTION: FLOW # all\nb: [1,2,   3]\n',
    'MANY',
  ],
  toml: [
    '',
    '\n',
    '# only a comment\n',
    'model = "x" # the model',
    '# settings\nmodel = "x"\n\n[profiles.x]\na = [ 1,  2 ] # list\n',
    'MANY',
    'a = 1\r\n[z]\r\nb = 2\r\n',
    'created = 2026-01-02T03:04:05Z\nday = 2026-01-02\n',
  ],
} as const;

/** A section with entries of other programs. */
const MANY = {
  'yaml map':
    'SECTION:\n  # about a\n  a:\n    uri: "x" # quoted\n  b: {uri: y}\n\n# about the rest\nrest: |\n  text\n',
  'yaml list': 'SECTION:\n- name: a # first\n  url: x\n- {name: b, url: y}\n# about the rest\nrest: >-\n  text\n',
  'toml map':
    '[SECTION.a] # first\nurl = "x"\n\n[SECTION.a.env]\nA = "1"\n# the end of a\n\n# about z\n[z]\nb = 2 # two\n\n',
  'toml list': 'x = 1\n\n[[SECTION]] # first\nname = "a"\nurl = "x"\n\n# about z\n[z]\nb = 2 # two\n',
  'json map': '{}',
  'json list': '{}',
};

function createTexts({ format, section, shape }: (typeof MCP_CLIENTS)[number]): string[] {
  return TEXTS[format].map((text) =>
    text
      .replace('MANY', MANY[`${format} ${shape}`])
      .replace('FLOW', shape === 'map' ? '{ a: {uri: x} }' : '[{ name: a, url: "x" }]')
      .replace('EMPTY', shape === 'map' ? '{}' : '[ ]')
      .replaceAll('SECTION', section),
  );
}

const cases = MCP_CLIENTS.flatMap((client) => createTexts(client).map((text) => [client.id, text, client] as const));

describe('an entry of a configuration file', () => {
  it.each(cases)('of %s is added to %j, and its removal restores every byte', async (_id, text, client) => {
    const format = await loadFormat(client.format);
    const entry = createEntry(client, 'files', URL);
    const added = putEntry(format, text, client, 'files', entry);
    expect(findEntry(format, added.text, client, 'files')).toEqual(entry);
    expect(findEntry(format, added.text, client, 'a')).toEqual(findEntry(format, text, client, 'a'));
    for (const comment of text.match(/(#|\/\/|\/\*).*/g) ?? []) expect(added.text).toContain(comment.trimEnd());
    expect(removeEntry(format, added.text, client, 'files', added.scaffold)).toBe(text);
  });

  it.each(cases)('of %s in %j is independent of a second one', async (_id, text, client) => {
    const format = await loadFormat(client.format);
    const first = putEntry(format, text, client, 'one', createEntry(client, 'one', URL));
    const second = putEntry(format, first.text, client, 'two', createEntry(client, 'two', URL));
    const moved = putEntry(format, second.text, client, 'two', createEntry(client, 'two', OTHER));
    expect(findEntry(format, moved.text, client, 'two')).toEqual(createEntry(client, 'two', OTHER));
    expect(removeEntry(format, second.text, client, 'two')).toBe(first.text);
    const last = removeEntry(format, second.text, client, 'one');
    expect(findEntry(format, last, client, 'two')).toEqual(createEntry(client, 'two', URL));
    expect(removeEntry(format, last, client, 'two', first.scaffold)).toBe(text);
  });

  it.each([
    ['json', '{"mcpServers": {', 1, 17],
    ['json', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['yaml', 'a: 1\nb: [1', 2, 6],
    ['toml', 'a = 1\nb = = 2\n', 2, 5],
  ] as const)('is not added to invalid %s: %j', async (format, text, line, column) => {
    const edits = await loadFormat(format);
    const place = { section: 'mcpServers', shape: 'map' } as const;
    const put = () => putEntry(edits, text, place, 'files', { url: URL });
    expect(put).toThrow(ConfigTextError);
    expect(put).toThrow(expect.objectContaining({ position: { line, column } }));
  });

  it.each([
    ['json', '[]', 'map'],
    ['json', '"text"', 'map'],
    ['json', '{"mcpServers": []}', 'map'],
    ['json', '{"mcpServers": "none"}', 'map'],
    ['yaml', '- a', 'map'],
    ['yaml', 'mcpServers: text', 'list'],
    ['toml', 'mcpServers = 1', 'map'],
  ] as const)('is not added to %s of another form: %j', async (format, text, shape) => {
    const edits = await loadFormat(format);
    expect(() => putEntry(edits, text, { section: 'mcpServers', shape }, 'files', { url: URL })).toThrow(
      ConfigTextError,
    );
  });
});
