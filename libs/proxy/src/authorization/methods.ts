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
  'subscriptions/listen',
  'logging/setLevel',
  'completion/complete',
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

/** How a message is authorized. */
export type MethodRule =
  | { readonly kind: 'open' }
  | { readonly kind: 'list'; readonly list: FilteredList }
  | {
      readonly kind: 'use';
      readonly use: AuthorizedUse;
      /** Empty for params without the name; undefined for a name that is not clear. */
      readonly id: string | undefined;
      /** The list in the answer. */
      readonly list?: FilteredList;
    }
  | { readonly kind: 'refused' };

/** Finds the rule of a request or notification. */
export function findRule(method: string, params: JsonObject | undefined, isRequest: boolean): MethodRule {
  if (isRequest ? OPEN_REQUESTS.has(method) : OPEN_NOTIFICATIONS.has(method)) return { kind: 'open' };
  const list = FILTERED_LISTS.get(method);
  const named = USES.get(method);
  // A server could run a known request without an id.
  if (!isRequest && (list !== undefined || named !== undefined)) return { kind: 'refused' };
  if (list !== undefined) return { kind: 'list', list };
  if (named === undefined) return { kind: 'use', use: 'call_method', id: method };
  const { use, member } = named;
  return { kind: 'use', use, id: readName(params, member), ...(named.list !== undefined && { list: named.list }) };
}

/**
 * Reads the name of a thing. Without one, policies decide on the empty name, and the server answers
 * with its own error. Servers that read members in any case could find a name in `URI`.
 */
function readName(params: JsonObject | undefined, member: string): string | undefined {
  const value = isJsonObject(params) && Object.hasOwn(params, member) ? params[member] : '';
  const folded = fold(member);
  const isClear = Object.keys(params ?? {}).every((name) => name === member || fold(name) !== folded);
  return isClear && typeof value === 'string' ? value : undefined;
}

const fold = (name: string): string => name.normalize('NFKC').toLowerCase();
