import { getPublisherExtension, type ServerEntry } from '../document/server-entry.ts';

/** Points of a word by the place where it is found. */
const [IN_NAME, IN_TITLE, IN_TAGS, IN_TOOLS, IN_DESCRIPTION] = [8, 4, 3, 2, 1];

/** The maximum number of words of a query. */
const MAX_WORDS = 20;

/**
 * The servers in which every word of a query occurs, also as a part of a word and in another case;
 * the best match comes first.
 */
export function searchServers(servers: readonly ServerEntry[], query: string): ServerEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return servers
    .map((server) => ({ server, score: computeScore(server, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.server.name < other.server.name ? -1 : 1))
    .map(({ server }) => server);
}

/** The sum of the points of all words; 0 when one of them does not occur. */
function computeScore(server: ServerEntry, words: readonly string[]): number {
  const identifiers = [
    ...(server.packages ?? []).map(({ identifier }) => identifier),
    ...(server.remotes ?? []).map(({ url }) => url),
  ];
  const extensions = identifiers.map((identifier) => getPublisherExtension(server, identifier));
  const places: readonly (readonly [points: number, text: string])[] = [
    [IN_NAME, server.name],
    [IN_TITLE, server.title ?? ''],
    [IN_TAGS, extensions.flatMap(({ tags = [] }) => tags).join('\n')],
    [IN_TOOLS, extensions.flatMap(({ tools = [] }) => tools).join('\n')],
    [IN_DESCRIPTION, `${server.description}\n${identifiers.join('\n')}`],
  ];
  const lower = places.map(([points, text]) => [points, text.toLowerCase()] as const);
  const scores = words.map((word) =>
    lower.reduce((sum, [points, text]) => sum + (hasWord(text, word) ? points : 0), 0),
  );
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

/** Names of code hosts, which almost every name of a server contains. */
const CODE_HOSTS = ['github', 'gitlab'];

/** Whether a text has a word. A word such as `git` does not match the names of code hosts. */
function hasWord(text: string, word: string): boolean {
  const isPartOfHost = CODE_HOSTS.some((host) => host !== word && host.includes(word));
  return (isPartOfHost ? text.replaceAll(new RegExp(CODE_HOSTS.join('|'), 'g'), ' ') : text).includes(word);
}
