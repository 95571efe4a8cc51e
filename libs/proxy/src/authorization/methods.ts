import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import type { AuthorizedUse } from './authorizer.ts';

/** The member of a list's result, the member of an item that identifies it, and its use. */
export interface FilteredList {
  readonly member: string;
  readonly id: string;
  readonly use: AuthorizedUse;
}

const RESOURCES: FilteredList = { member: 'resources', id: 'uri', use: 'read_resource' };

/** The lists of which clients see only the items that they may use. */
export const FILTERED_LISTS: ReadonlyMap<string, FilteredList> = new Map([
  ['tools/list', { member: 'tools', id: 'name', use: 'call_tool' }],
  ['prompts/list', { member: 'prompts', id: 'name', use: 'get_prompt' }],
  ['resources/list', RESOURCES],
  ['resources/templates/list', { member: 'resourceTemplates', id: 'uriTemplate', use: 'read_resource' }],
  ['skills/list', { member: 'skills', id: 'uri', use: 'read_resource' }],
  ['tasks/list', { member: 'tasks', id: 'taskId', use: 'get_task' }],
]);

/** How policies decide a request. */
interface NamedUse {
  readonly use: AuthorizedUse;
  /** The member of the params that names the thing. */
  readonly member: string;
  /** The list in the answer. */
  readonly list?: FilteredList;
}

/** The requests that policies decide. */
const USES: ReadonlyMap<string, NamedUse> = new Map([
  ['tools/call', { use: 'call_tool', member: 'name' }],
  ['prompts/get', { use: 'get_prompt', member: 'name' }],
  ['resources/read', { use: 'read_resource', member: 'uri' }],
  ['resources/directory/read', { use: 'read_resource', member: 'uri', list: RESOURCES }],
  ['resources/subscribe', { use: 'read_resource', member: 'uri' }],
  ['resources/unsubscribe', { use: 'read_resource', member: 'uri' }],
  ['skills/get', { use: 'read_resource', member: 'uri' }],
  ['tasks/get', { use: 'get_task', member: 'taskId' }],
  ['tasks/result', { use: 'get_task', member: 'taskId' }],
  ['tasks/update', { use: 'update_task', member: 'taskId' }],
  ['tasks/cancel', { use: 'cancel_task', member: 'taskId' }],
]);

/** Messages without access to things of the server. */
const OPEN_REQUESTS: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'roots/list',
  'server/discover',
  'logging/setLevel',
]);
const OPEN_NOTIFICATIONS: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/roots/list_changed',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tasks/status',
]);

/** A thing of the server that a message uses. */
export interface NamedThing {
  readonly use: AuthorizedUse;
  /** Empty for params without the name. */
  readonly id: string;
}

/** How a message is authorized. */
export type MethodRule =
  | { readonly kind: 'open' }
  | { readonly kind: 'list'; readonly list: FilteredList }
  | {
      readonly kind: 'use';
      /** The caller must be allowed to use all of them. */
      readonly things: readonly NamedThing[];
      /** The list in the answer. */
      readonly list?: FilteredList;
    }
  /** The message may not be sent, or it is not clear what it uses. */
  | { readonly kind: 'refused' };

/** The most things that one message may subscribe to. */
const MAX_THINGS = 1_000;

/** Finds the rule of a request or notification. */
export function findRule(method: string, params: JsonObject | undefined, isRequest: boolean): MethodRule {
  if (isRequest ? OPEN_REQUESTS.has(method) : OPEN_NOTIFICATIONS.has(method)) return { kind: 'open' };
  const list = FILTERED_LISTS.get(method);
  const named = USES.get(method);
  const findThings = SEVERAL_THINGS.get(method);
  // A server could run a known request without an id.
  const isKnown = list !== undefined || named !== undefined || findThings !== undefined;
  if (!isRequest && isKnown) return { kind: 'refused' };
  if (list !== undefined) return { kind: 'list', list };
  if (findThings !== undefined) return createRule(findThings(params ?? {}));
  if (named === undefined) return createRule([{ use: 'call_method', id: method }]);
  const { use, member } = named;
  const id = readName(params ?? {}, member);
  return createRule(id === undefined ? undefined : [{ use, id }], named.list);
}

function createRule(things: readonly NamedThing[] | undefined, list?: FilteredList): MethodRule {
  if (things === undefined || things.length > MAX_THINGS) return { kind: 'refused' };
  return { kind: 'use', things, ...(list !== undefined && { list }) };
}

/** The requests whose things are not named by one member. The result undefined is not clear. */
const SEVERAL_THINGS: ReadonlyMap<string, (params: JsonObject) => readonly NamedThing[] | undefined> = new Map([
  ['completion/complete', findCompleted],
  ['subscriptions/listen', findSubscribed],
]);

/** Values of the arguments of a prompt or template are for callers who may use it. */
function findCompleted(params: JsonObject): readonly NamedThing[] | undefined {
  const ref = readMember(params, 'ref');
  if (!isJsonObject(ref)) return undefined;
  const isPrompt = readMember(ref, 'type') === 'ref/prompt';
  if (!isPrompt && readMember(ref, 'type') !== 'ref/resource') return undefined;
  const id = readName(ref, isPrompt ? 'name' : 'uri');
  return id === undefined ? undefined : [{ use: isPrompt ? 'get_prompt' : 'read_resource', id }];
}

/** Changes of resources and tasks are for callers who may read them; changes of lists for all. */
function findSubscribed(params: JsonObject): readonly NamedThing[] | undefined {
  const filter = readMember(params, 'notifications') ?? {};
  if (!isJsonObject(filter) || !isClear(params, 'notifications')) return undefined;
  const resources = readTexts(filter, 'resourceSubscriptions');
  const tasks = readTexts(filter, 'taskIds');
  if (resources === undefined || tasks === undefined) return undefined;
  return [
    ...resources.map((id) => ({ use: 'read_resource' as const, id })),
    ...tasks.map((id) => ({ use: 'get_task' as const, id })),
  ];
}

/** @returns no text without the member; undefined for a value that is not clear */
function readTexts(object: JsonObject, member: string): string[] | undefined {
  const value = readMember(object, member) ?? [];
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isTexts && isClear(object, member) ? value : undefined;
}

/**
 * Reads the name of a thing. Without one, policies decide on the empty name, and the server answers
 * with its own error.
 */
function readName(object: JsonObject, member: string): string | undefined {
  const value = Object.hasOwn(object, member) ? object[member] : '';
  return isClear(object, member) && typeof value === 'string' ? value : undefined;
}

/** @returns undefined also for a member that servers could find in another case */
const readMember = (object: JsonObject, member: string): unknown =>
  Object.hasOwn(object, member) && isClear(object, member) ? object[member] : undefined;

/** Servers that read members in any case could find a name in `URI`. */
function isClear(object: JsonObject, member: string): boolean {
  const folded = fold(member);
  return Object.keys(object).every((name) => name === member || fold(name) !== folded);
}

/** Names that folding does not change. */
const FOLDED = /^[a-z_]*$/;

const fold = (name: string): string => (FOLDED.test(name) ? name : name.normalize('NFKC').toLowerCase());
