import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthenticatedUser } from '../access/access.ts';
import type { Connector } from '../ports/snapshot.ts';
import type { StoredTask, TaskForm, TaskPlace } from '../ports/task-store.ts';
import { createTarget } from '../upstreams/credential-identity.ts';
import { type ClientCall, createInvalidParamsError, requireText } from './client-call.ts';
import { forwardOrExplain } from './forward.ts';
import { removeReservedMeta } from './meta.ts';
import { type Plane, type RequestScope, requireRequestScope } from './plane.ts';
import { nameTask } from './related-task.ts';
import { exposeUris } from './resources.ts';
import { limitResult, requireValidResult } from './results.ts';
import {
  createMissingExtensionError,
  exposeTask,
  hideUpstreamId,
  isEnded,
  requireTaskState,
  toStoredState,
  type UpstreamTask,
} from './task-forms.ts';

/** A task of the user, with the rights that hold now. */
interface OwnTask {
  task: StoredTask;
  connector: Connector;
  rights: RequestScope;
}

/** The state of a task, with the result of a completed one in the extension. */
export async function getTask(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const own = await requireTask(plane, call, requireForm(call));
  const task = requireTaskState(await send(plane, call, own, 'tasks/get'));
  return complete(plane, call, own, await keepState(plane, own, task));
}

/** Asks the upstream to cancel a task. @returns its state in the core, nothing in the extension */
export async function cancelTask(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const form = requireForm(call);
  const own = await requireTask(plane, call, form);
  const result = await send(plane, call, own, 'tasks/cancel');
  return form === 'core' ? keepState(plane, own, requireTaskState(result)) : {};
}

/**
 * The result of a task, as soon as it has ended. Requests of the upstream reach the client
 * meanwhile, on the stream of this request. Only the core has it.
 */
export async function getTaskResult(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const own = await requireTask(plane, call, requireCore(call));
  const result = await exposeResult(plane, call, own, await send(plane, call, own, 'tasks/result', Infinity));
  plane.upstreams.endTask(createTarget(own.connector, call.user), own.task);
  return nameTask(result, own.task.id);
}

/** A page of the user's tasks, newest first. Only the core has it. */
export async function listTasks(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const form = requireCore(call);
  const { user, params } = call;
  const rights = await requireRequestScope(plane, user);
  const cursor = await openCursor(plane, user, params['cursor']);
  const page = await plane.tasks.list(user, form, { after: cursor, limit: PAGE });
  const tasks = await Promise.all(page.map((task) => refresh(plane, call, rights, task)));
  const last = page.length === PAGE ? page.at(-1)?.place : undefined;
  return {
    tasks: tasks.filter((task) => task !== undefined),
    ...(last && { nextCursor: await plane.states.seal(user, LIST, JSON.stringify(last)) }),
  };
}

/** Most tasks of one page. */
const PAGE = 20;

/** The request that a cursor of the list is for. */
const LIST = 'tasks/list';

async function openCursor(plane: Plane, user: AuthenticatedUser, cursor: unknown): Promise<TaskPlace | undefined> {
  if (cursor === undefined) return undefined;
  const opened = await plane.states.open(user, LIST, cursor).catch(() => {
    throw createInvalidParamsError('params.cursor is not a cursor of this list, or has expired');
  });
  return JSON.parse(opened) as TaskPlace;
}

/** The present state of a task, or the last known one; undefined if the user may not know it. */
async function refresh(
  plane: Plane,
  call: ClientCall,
  rights: RequestScope,
  task: StoredTask,
): Promise<JsonObject | undefined> {
  const connector = findConnector(task, call, rights);
  if (connector === undefined || isEnded(task.state)) return connector && task.state;
  const own = { task, connector, rights };
  const fetched = send(plane, call, own, 'tasks/get').then((state) => keepState(plane, own, requireTaskState(state)));
  const late = sleep(plane.limits.fanOutMs, task.state, { ref: false });
  return Promise.race([fetched.catch(() => task.state), late]);
}

/** Passes the answers to the questions of a task on. Only the extension has it. */
export async function updateTask(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const form = requireForm(call);
  if (form === 'core') throw createUnknownMethodError();
  const own = await requireTask(plane, call, form);
  if (!isJsonObject(call.params['inputResponses']))
    throw createInvalidParamsError('params.inputResponses must be an object');
  await send(plane, call, own, 'tasks/update');
  return {};
}

const createUnknownMethodError = (): RpcError =>
  new RpcError(ErrorCode.methodNotFound, 'the gateway does not have this method');

/** The form of tasks that the client uses. @throws RpcError for a client without tasks */
function requireForm({ taskForm, sessionId }: ClientCall): TaskForm {
  if (taskForm !== undefined) return taskForm;
  throw sessionId === undefined ? createMissingExtensionError() : createUnknownMethodError();
}

/** @throws RpcError for a method that only the core has */
function requireCore({ taskForm }: ClientCall): TaskForm {
  if (taskForm !== 'core') throw createUnknownMethodError();
  return taskForm;
}

/**
 * The task that a request names. One of another user, one whose tool the user may not call any
 * more, and a forged id are unknown alike.
 * @throws RpcError
 */
async function requireTask(plane: Plane, call: ClientCall, form: TaskForm): Promise<OwnTask> {
  const id = requireText(call.params, 'taskId');
  const rights = await requireRequestScope(plane, call.user);
  const task = await plane.tasks.find(id, call.user);
  const connector = task?.form === form ? findConnector(task, call, rights) : undefined;
  if (task === undefined || connector === undefined) throw createInvalidParamsError('unknown task');
  return { task, connector, rights };
}

/** The connector of a task, if the user may still call its tool with the same credential. */
function findConnector(
  { connectorId, identity, toolName }: StoredTask,
  { scope, user }: ClientCall,
  { access }: RequestScope,
): Connector | undefined {
  return access
    .listConnectors()
    .find(
      (connector) =>
        connector.id === connectorId &&
        (scope.slug === undefined || scope.slug === connector.slug) &&
        createTarget(connector, user).identity === identity &&
        access.isAllowed(connector, { kind: 'tool', name: toolName }),
    );
}

/** Sends a request about a task to its upstream. @throws RpcError */
async function send(
  plane: Plane,
  call: ClientCall,
  own: OwnTask,
  method: string,
  idleTimeoutMs?: number,
): Promise<JsonObject> {
  const { connector, task } = own;
  const target = `${method} ${task.id}`;
  const request = { plane, call, connector, target, task, ...(idleTimeoutMs !== undefined && { idleTimeoutMs }) };
  try {
    return await forwardOrExplain(request, method, { taskId: task.upstreamId });
  } catch (error) {
    throw hideUpstreamId(error, task.upstreamId, task.id);
  }
}

/** Stores a changed state. @returns the task for the client */
async function keepState(
  plane: Plane,
  { task, connector, rights }: OwnTask,
  received: UpstreamTask,
): Promise<JsonObject> {
  if (received.taskId !== task.upstreamId)
    throw new RpcError(ErrorCode.internalError, 'the connector answered with another task');
  const exposed = exposeTask(task.form, received, task.id);
  if (isEnded(exposed)) plane.upstreams.endTask(createTarget(connector, rights.user), task);
  if (exposed['status'] !== task.state['status']) await plane.tasks.update(task.id, toStoredState(exposed));
  return exposed;
}

/** Checks the result of a task and rewrites its URIs, as for the result of a call. */
async function complete(plane: Plane, call: ClientCall, own: OwnTask, task: JsonObject): Promise<JsonObject> {
  const { result } = task;
  if (!isJsonObject(result)) return task;
  return { ...task, result: await exposeResult(plane, call, own, result) };
}

async function exposeResult(
  plane: Plane,
  call: ClientCall,
  { connector, rights }: OwnTask,
  result: JsonObject,
): Promise<JsonObject> {
  const limits = plane.directory.getRules()?.limits.findOfConnector(connector.id);
  const valid = removeReservedMeta(requireValidResult('tools/call', result));
  const limited = limitResult(connector, valid, limits?.resultBytes);
  return exposeUris(plane, rights.access, call.scope, connector, limited);
}
