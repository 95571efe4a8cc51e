import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { splitTerms } from './search-terms.ts';
import { type SearchableTool, ToolIndex } from './tool-index.ts';

const create = (name: string, description: string, parameters: Record<string, object> = {}): SearchableTool => ({
  name,
  definition: { name, description, inputSchema: { type: 'object', properties: parameters } },
});

/** Tools as real servers describe them. */
const TOOLS = [
  create('github__create_issue', 'Create a new issue in a GitHub repository', { title: {}, labels: {} }),
  create('github__list_issues', 'List issues of a repository, with filters for state, labels and dates'),
  create('github__merge_pull_request', 'Merge a pull request'),
  create('github__search_code', 'Search for code across repositories'),
  create('slack__post_message', 'Post a message to a channel or reply to a thread', {
    channel_id: { description: 'The ID of the channel' },
  }),
  create('slack__list_channels', 'List public channels in the workspace'),
  create('drive__searchFiles', 'Search for files in Google Drive'),
  create('postgres__query', 'Run a read-only SQL query'),
  create('calendar__create_event', 'Creates a calendar event with attendees and a meeting link'),
  create('weather__get_forecast', 'Get the weather forecast for a location', { latitude: {}, longitude: {} }),
  create('lexikon__übersetzen', 'Übersetzt einen Text ins Französische'),
  create('tenki__予報', '東京の天気予報を取得します'),
];

describe('a tool index', () => {
  const build = () => ToolIndex.build(TOOLS);
  const findBest = async (query: string) => (await build()).find(query, 3)[0];

  it.each([
    ['create an issue on github', 'github__create_issue'],
    ['github__create_issue', 'github__create_issue'],
    ['list the issues of a repo', 'github__list_issues'],
    ['send slack message', 'slack__post_message'],
    ['SQL', 'postgres__query'],
    ['what will the weather be tomorrow', 'weather__get_forecast'],
    ['search files', 'drive__searchFiles'],
    ['merge PR pull', 'github__merge_pull_request'],
    ['schedule a meeting', 'calendar__create_event'],
    ['forcast', 'weather__get_forecast'],
    ['calend', 'calendar__create_event'],
    ['latitude', 'weather__get_forecast'],
    ['ÜBERSETZEN', 'lexikon__übersetzen'],
    ['天気', 'tenki__予報'],
  ])('finds for %j first %s', async (query, name) => {
    expect(await findBest(query)).toBe(name);
  });

  it('returns at most the limit, and nothing without a match', async () => {
    const index = await build();
    expect(index.find('issue repository search list', 2)).toHaveLength(2);
    for (const query of ['', '   ', '.*', '((((', '\0', '🦊', 'zzzzzzzz', '\uD800'])
      expect(index.find(query, 5)).toEqual([]);
  });

  it('answers every query with names of its tools', async () => {
    const index = await build();
    const names = new Set(TOOLS.map(({ name }) => name));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 500 })), (query) => {
        const found = index.find(query, 5);
        expect(found.length).toBeLessThanOrEqual(5);
        expect(found.every((name) => names.has(name))).toBe(true);
      }),
      { numRuns: 200 * effort },
    );
  });

  it('reads only the first terms of a query', async () => {
    const index = await build();
    const noise = Array.from({ length: 12 }, (_, at) => `zq${at}`).join(' ');
    expect(index.find(`${noise} weather`, 5)).toEqual([]);
  });

  it('accepts tools without texts, and with texts of any length', async () => {
    const long = create('long', 'word '.repeat(100_000));
    const plain = { name: 'plain', definition: { name: 'plain', inputSchema: {} } };
    const strange = create('strange', 'x', { a: null as unknown as object, b: 7 as unknown as object });
    const index = await ToolIndex.build([long, plain, strange]);
    expect(['word', 'plain', 'strange'].map((query) => index.find(query, 1)[0])).toEqual(['long', 'plain', 'strange']);
  });
});

describe('splitTerms', () => {
  it('splits names into their words', () => {
    expect(splitTerms('createIssue list_pull-requests v2Beta HTTPServer')).toEqual([
      'create',
      'issue',
      'list',
      'pull',
      'request',
      'v2',
      'beta',
      'httpserver',
    ]);
  });

  it('bounds the text and each term', () => {
    expect(splitTerms('a'.repeat(10_000))).toEqual(['a'.repeat(32)]);
    expect(splitTerms('ﷺ'.repeat(5_000)).join('').length).toBeLessThan(40_000);
  });
});
