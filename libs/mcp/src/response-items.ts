/** The member of a result that holds a list. */
export type ListMember = 'tools' | 'prompts' | 'resources' | 'resourceTemplates' | 'skills';

/** The members of a result that hold lists, and the members of a message that hold content. */
export const LISTS: ReadonlySet<string> = new Set<ListMember>([
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
  'skills',
]);
export const CONTENTS: ReadonlySet<string> = new Set(['content', 'contents', 'messages']);

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isObjectOrAbsent = (value: unknown): boolean => value === undefined || isObject(value);

const isSkillFile = (value: unknown): boolean => isObject(value) && isText(value['uri']);

const ENTRY_CHECKS: Readonly<Record<ListMember, (entry: JsonObject) => boolean>> = {
  tools: ({ name, inputSchema }) => isText(name) && isObject(inputSchema) && inputSchema['type'] === 'object',
  prompts: ({ name, arguments: args }) => isText(name) && (args === undefined || Array.isArray(args)),
  resources: ({ uri, name }) => isText(uri) && isText(name),
  resourceTemplates: ({ uriTemplate, name }) => isText(uriTemplate) && isText(name),
  skills: ({ uri, frontmatter, resources }) =>
    isText(uri) &&
    isObject(frontmatter) &&
    (resources === 'dynamic' || (Array.isArray(resources) && resources.every(isSkillFile))),
};

/**
 * Whether a value has the required members of an entry. One entry without them would make the whole
 * list invalid.
 */
export const isListEntry = (member: ListMember, value: unknown): boolean =>
  isObject(value) &&
  isTextOrAbsent(value['title']) &&
  isTextOrAbsent(value['description']) &&
  isObjectOrAbsent(value['annotations']) &&
  isObjectOrAbsent(value['_meta']) &&
  ENTRY_CHECKS[member](value);

const BLOCK_CHECKS: Readonly<Record<string, (block: JsonObject) => boolean>> = {
  text: ({ text }) => isText(text),
  image: ({ data, mimeType }) => isText(data) && isText(mimeType),
  audio: ({ data, mimeType }) => isText(data) && isText(mimeType),
  resource_link: ({ uri, name }) => isText(uri) && isText(name),
  resource: ({ resource }) => isContents(resource),
};

const isContents = (value: unknown): boolean =>
  isObject(value) && isText(value['uri']) && (isText(value['text']) || isText(value['blob']));

const isBlock = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['type'] === 'string' &&
  isObjectOrAbsent(value['annotations']) &&
  isObjectOrAbsent(value['_meta']) &&
  Object.hasOwn(BLOCK_CHECKS, value['type']) &&
  BLOCK_CHECKS[value['type']]?.(value) === true;

/**
 * Whether an item of `content`, `contents`, `messages` or of the messages of `sampling` has its
 * required members. Validators describe each invalid item at length, which costs far more.
 */
export function isContentItem(member: string, value: unknown): boolean {
  if (member === 'sampling') return isObject(value) && isText(value['role']) && typeof value['content'] === 'object';
  if (member === 'contents') return isContents(value);
  if (member === 'messages') return isObject(value) && isText(value['role']) && isBlock(value['content']);
  return isBlock(value);
}
