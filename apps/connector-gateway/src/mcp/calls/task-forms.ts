import { UnexpectedResponseError } from '@gatehouse/mcp/client/connection-errors';
import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import type { TaskForm } from '../ports/task-store.ts';
import { removeReservedMeta } from './meta.ts';

/** The extension for tasks of revision 2026-07-28 (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The longest time to live of a task, also of one that its upstream keeps longer. */
const MAX_TASK_MS = 86_400_000;

/** The name of the time to live in each form. */
const TTL = { core: 'ttl', extension: 'ttlMs' } as const;

const STATUSES: ReadonlySet<unknown> = new Set(['working', 'input_required', 'completed', 'failed', 'cancelled']);
const FINAL_STATUSES: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** A task as its upstream describes it. */
export type UpstreamTask = JsonObject & { taskId: string; status: string };

/** Whether a task has ended. */
export const isEnded = ({ status }: JsonObject): boolean => FINAL_STATUSES.has(status);

/** A task that an upstream created for a call. */
export interface CreatedTask {
  form: TaskForm;
  task: UpstreamTask;
}

/** The task that a result creates instead of an answer; undefined for any other result. */
export function readCreatedTask(result: JsonObject): CreatedTask | undefined {
  if (result['resultType'] === 'task') return { form: 'extension', task: requireTaskState(result) };
  const { task } = result;
  return isJsonObject(task) && result['content'] === undefined && result['structuredContent'] === undefined
    ? { form: 'core', task: requireTaskState(task) }
    : undefined;
}

/** Checks the members of a task that the gateway needs. @throws UnexpectedResponseError */
export function requireTaskState(task: JsonObject): UpstreamTask {
  const { taskId, status } = task;
  if (typeof taskId !== 'string' || taskId === '' || !STATUSES.has(status))
    throw new UnexpectedResponseError('a task that is not valid');
  return task as UpstreamTask;
}

/** A task under the id of the gateway, with a limited time to live. */
export function exposeTask(form: TaskForm, task: UpstreamTask, id: string): JsonObject {
  const { resultType: _, requestState: __, ...members } = removeReservedMeta<JsonObject>(task);
  return { ...members, taskId: id, [TTL[form]]: getLifetime(form, task) };
}

/** The state of a task without its result, as it is stored. */
export function toStoredState(task: JsonObject): JsonObject {
  const { result: _, error: __, inputRequests: ___, _meta: ____, ...state } = task;
  return state;
}

/** The time to live of a task in milliseconds, since its creation. */
export function getLifetime(form: TaskForm, task: JsonObject): number {
  const lifetime = task[TTL[form]];
  return typeof lifetime === 'number' && lifetime >= 0 ? limitLifetime(lifetime) : MAX_TASK_MS;
}

/** The time to live that the gateway allows, in milliseconds. */
export const limitLifetime = (lifetimeMs: number): number => Math.min(Math.ceil(lifetimeMs), MAX_TASK_MS);

/** Whether a client declares the extension. */
export function hasTasksExtension({ extensions }: JsonObject): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION]);
}

/** The error of a request that needs the extension (SEP-2663, capability negotiation). */
export const createMissingExtensionError = (): RpcError =>
  new RpcError(ErrorCode.missingClientCapability, 'the request needs a client that declares the extension for tasks', {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });

/** Removes the upstream's id of a task from an error. */
export function hideUpstreamId(error: unknown, upstreamId: string, id: string): unknown {
  if (!(error instanceof RpcError)) return error;
  const { rpcCode, message, data } = error;
  const isNamed = data !== undefined && JSON.stringify(data).includes(JSON.stringify(upstreamId).slice(1, -1));
  return new RpcError(rpcCode, message.replaceAll(upstreamId, id), isNamed ? undefined : data);
}
