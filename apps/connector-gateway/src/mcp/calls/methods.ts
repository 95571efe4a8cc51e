import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { hasTasks } from '@gatehouse/mcp/revisions';
import type { EndpointScope } from '../catalog/offers.ts';
import { type ClientCall, createInvalidParamsError } from './client-call.ts';
import type { Plane } from './plane.ts';
import { completeArgument } from './completions.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, listResourceTemplates, readResource } from './resources.ts';
import { getSkill, listSkills, readDirectory } from './skills.ts';
import { cancelTask, getTask, getTaskResult, listTasks, updateTask } from './tasks.ts';
import { TASKS_EXTENSION } from './task-forms.ts';
import { callTool, listTools } from './tools.ts';
import { SKILLS_EXTENSION } from '../upstreams/upstream.ts';

type Method = (plane: Plane, call: ClientCall) => Promise<JsonObject>;

/** The methods that both protocol eras have. */
const METHODS: ReadonlyMap<string, Method> = new Map([
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['resources/list', listResources],
  ['resources/templates/list', listResourceTemplates],
  ['resources/read', readResource],
  ['resources/directory/read', readDirectory],
  ['skills/list', listSkills],
  ['skills/get', getSkill],
  ['completion/complete', completeArgument],
  ['tasks/get', getTask],
  ['tasks/cancel', cancelTask],
  ['tasks/update', updateTask],
  ['tasks/result', getTaskResult],
  ['tasks/list', listTasks],
]);

/** The gateway's identity towards clients. */
export const SERVER_INFO = { name: 'gatehouse', title: 'Gatehouse', version: '0.1.0' };

/** The capabilities of the gateway towards clients. */
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
  extensions: { [SKILLS_EXTENSION]: { directoryRead: true } },
};

/** The capabilities towards clients of an endpoint. The tools of search mode never change. */
const getCapabilities = ({ mode }: EndpointScope): JsonObject =>
  mode === 'search' ? { ...CAPABILITIES, tools: {} } : CAPABILITIES;

/** The capabilities towards clients with a session. @param revision of the session */
export const getLegacyCapabilities = (scope: EndpointScope, revision: string): JsonObject => ({
  ...getCapabilities(scope),
  ...(hasTasks(revision) && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
});

/** The capabilities towards clients of revision 2026-07-28. */
export const getModernCapabilities = (scope: EndpointScope): JsonObject => ({
  ...getCapabilities(scope),
  extensions: { ...CAPABILITIES.extensions, [TASKS_EXTENSION]: {} },
});

/** Serves a request of either era. @throws RpcError for every failure that the client may know */
export function serveMethod(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const method = METHODS.get(call.method);
  if (method === undefined) throw new RpcError(ErrorCode.methodNotFound, 'the gateway does not have this method');
  if (call.method.endsWith('/list') && method !== listTasks) requireFirstPage(call);
  return method(plane, call);
}

/** Other lists have one page, so no cursor is valid (MCP pagination). @throws RpcError */
function requireFirstPage({ params }: ClientCall): void {
  if (params['cursor'] !== undefined)
    throw createInvalidParamsError('params.cursor is unknown: the lists of this gateway have one page');
}
