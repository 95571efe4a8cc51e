import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import type { AuthorizedUse } from './authorizer.ts';

/** The member of a list's result, the member of an item that identifies it, and its use. */
export interface FilteredList {
  readonly member: string;
  readonly id: string;
  readonly use: AuthorizedUse;
}

/** The lists of which clients see only the items that they may use. */
export const FILTERED_LISTS: ReadonlyMap<string, FilteredList> = new Map([
  ['tools/list', { member: 'tools', id: 'name', use: 'call_tool' }],
  ['prompts/list', { member: 'prompts', id: 'name', use: 'get_prompt' }],
  ['resources/list', { member: 'resources', id: 'uri', use: 'read_resource' }],
  ['resources/templates/list', { member: 'resourceTemplates', id: 'uriTemplate', use: 'read_resource' }],
]);

/** The requests that policies decide, with the member of the params that names the thing. */
const USES: ReadonlyMap<string, { readonly use: AuthorizedUse; readonly member: string }> = new Map([
  ['tools/call', { use: 'call_tool', member: 'name' }],
  ['prompts/get', { use: 'get_prompt', member: 'name' }],
  ['resources/read', { use: 'read_resource', member: 'uri' }],
  ['resources/subscribe', { use: 'read_resource', member: 'uri' }],
  ['resources/unsubscribe', { use: 'read_resource', member: 'uri' }],
]);

/** Messages without access to things of the server. All others that are not listed are refused. */
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
  /** `id` is undefined where the params do not name the thing. */
  | { readonly kind: 'use'; readonly use: AuthorizedUse; readonly id: string | undefined }
  | { readonly kind: 'refused' };

/** Finds the rule of a request or notification. */
export function findRule(method: string, params: JsonObject | undefined, isRequest: boolean): MethodRule {
  if (!isRequest) return { kind: OPEN_NOTIFICATIONS.has(method) ? 'open' : 'refused' };
  const list = FILTERED_LISTS.get(method);
  if (list !== undefined) return { kind: 'list', list };
  const use = USES.get(method);
  if (use !== undefined) {
    const id = params?.[use.member];
    return { kind: 'use', use: use.use, id: typeof id === 'string' ? id : undefined };
  }
  return { kind: OPEN_REQUESTS.has(method) ? 'open' : 'refused' };
}
