import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import type { AuthenticatedUser } from '../access/access.ts';
import type { Offer } from '../catalog/offers.ts';
import { createTarget } from '../upstreams/credential-identity.ts';
import { type ClientCall, createInvalidParamsError } from './client-call.ts';
import type { Plane } from './plane.ts';
import { limitLifetime } from './task-forms.ts';

/** Whether a tool of a legacy upstream runs as a task (MCP 2025-11-25, tasks). */
type TaskSupport = 'forbidden' | 'optional' | 'required';

/** The support that counts: a tool's own word counts if its upstream negotiates tasks. */
async function findTaskSupport(
  plane: Plane,
  user: AuthenticatedUser,
  { connector, definition }: Offer<'tools'>,
): Promise<TaskSupport> {
  const support = definition.execution?.taskSupport;
  if (support !== 'optional' && support !== 'required') return 'forbidden';
  // An upstream without a known era takes the call without a task and explains itself.
  const capabilities = await plane.upstreams.getCapabilities(createTarget(connector, user)).catch(() => ({}));
  return acceptsTasks(capabilities) ? support : 'forbidden';
}

function acceptsTasks({ tasks }: JsonObject): boolean {
  const requests = isJsonObject(tasks) ? tasks['requests'] : undefined;
  const tools = isJsonObject(requests) ? requests['tools'] : undefined;
  return isJsonObject(tools) && isJsonObject(tools['call']);
}

/** Whether a tool speaks of tasks. */
export const hasTaskSupport = ({ definition }: Pick<Offer<'tools'>, 'definition'>): boolean =>
  definition.execution !== undefined;

/** Removes the support for tasks from tools where client and upstream do not negotiate it. */
export function listWithTaskSupport(
  plane: Plane,
  { user, taskForm }: ClientCall,
  offers: readonly Offer<'tools'>[],
): Promise<readonly Offer<'tools'>[]> {
  const work = offers.map(async (offer) => {
    if (offer.definition.execution === undefined) return offer;
    if (taskForm === 'core' && (await findTaskSupport(plane, user, offer)) !== 'forbidden') return offer;
    const { execution: _, ...definition } = offer.definition;
    return { ...offer, definition };
  });
  return Promise.all(work);
}

/**
 * Decides how a call and the tasks of its tool go together.
 * @returns `task` of the forwarded call; undefined for a call without a task; or the error
 */
export function readAugmentation(
  plane: Plane,
  call: ClientCall,
  offer: Offer<'tools'>,
): Promise<JsonObject | RpcError | undefined> | undefined {
  // Clients of other revisions know no `task`, and the gateway ignores it (SEP-2663).
  const task = call.taskForm === 'core' ? call.params['task'] : undefined;
  if (task === undefined && offer.definition.execution === undefined) return undefined;
  return decideAugmentation(plane, call, offer, task);
}

async function decideAugmentation(
  plane: Plane,
  call: ClientCall,
  offer: Offer<'tools'>,
  task: unknown,
): Promise<JsonObject | RpcError | undefined> {
  const support = await findTaskSupport(plane, call.user, offer);
  if (task === undefined) return support === 'required' ? createTaskNeededError(call) : undefined;
  if (!isJsonObject(task)) return createInvalidParamsError('params.task must be an object');
  if (support === 'forbidden')
    return new RpcError(ErrorCode.methodNotFound, 'the tool does not run as a task: call it without params.task');
  const { ttl } = task;
  if (ttl !== undefined && (typeof ttl !== 'number' || ttl < 0))
    return createInvalidParamsError('params.task.ttl must be a number of milliseconds, not negative');
  return { ...task, ...(ttl !== undefined && { ttl: limitLifetime(ttl) }) };
}

const createTaskNeededError = ({ taskForm }: ClientCall): RpcError =>
  taskForm === 'core'
    ? new RpcError(ErrorCode.methodNotFound, 'the tool runs only as a task: call it with params.task')
    : new RpcError(
        ErrorCode.internalError,
        'the tool runs only as a task of revision 2025-11-25: call it in a session of this revision',
      );
