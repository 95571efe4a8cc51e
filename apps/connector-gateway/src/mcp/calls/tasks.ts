import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import type { Connector } from '../ports/snapshot.ts';
import type { StoredTask, TaskForm } from '../ports/task-store.ts';
import { createTarget } from '../upstreams/credential-identity.ts';
import { type ClientCall, createInvalidParamsError, requireText } from './client-call.ts';
import { forwardOrExplain } from './forward.ts';
import { removeReservedMeta } from './meta.ts';
import { type Plane, type RequestScope, requireRequestScope } from './plane.ts';
import { exposeUris } from './resources.ts';
import { limitResult, requireValidResult } from './results.ts';
import {
  createMissingExtensionError,
  exposeTask,
  hideUpstreamId,
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

/** Asks the upstream to cancel a task. */
export async function cancelTask(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const own = await requireTask(plane, call, requireForm(call));
  await send(plane, call, own, 'tasks/cancel');
  return {};
}

/** Passes the answers to the questions of a task on. Only the extension has it. */
export async function updateTask(plane: Plane, call: ClientCall): Promise<JsonObject> {
  if (call.sessionId !== undefined) throw createUnknownMethodError();
  const own = await requireTask(plane, call, requireForm(call));
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
async function send(plane: Plane, call: ClientCall, own: OwnTask, method: string): Promise<JsonObject> {
  const { connector, task } = own;
  const request = { plane, call, connector, target: `${method} ${task.id}`, ownerKey: task.ownerKey };
  try {
    return await forwardOrExplain(request, method, { taskId: task.upstreamId });
  } catch (error) {
    throw hideUpstreamId(error, task.upstreamId, task.id);
  }
}

/** Stores a changed state. @returns the task for the client */
async function keepState(plane: Plane, { task }: OwnTask, received: UpstreamTask): Promise<JsonObject> {
  const exposed = exposeTask(task.form, received, task.id);
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
