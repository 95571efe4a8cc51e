import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { randomBytes } from 'node:crypto';
import type { AuthenticatedUser } from '../access/access.ts';
import type { Offer } from '../catalog/offers.ts';
import type { NewTask, StoredTask } from '../ports/task-store.ts';
import { createTarget, type UpstreamTarget } from '../upstreams/credential-identity.ts';
import type { ClientCall } from './client-call.ts';
import { createCallOwner } from './forward.ts';
import type { Plane } from './plane.ts';
import { type CreatedTask, exposeTask, getLifetime, toStoredState } from './task-forms.ts';

/** Most tasks of one user over all replicas. */
const MAX_TASKS_PER_USER = 100;

/** Time for which the upstream has to end a task that cannot be kept. */
const CANCEL_MS = 5_000;

/**
 * Keeps a task that an upstream created for a call. It is stored before the client knows it.
 * @returns the result for the client
 * @throws RpcError for one task too many; the upstream is asked to cancel it
 */
export async function keepTask(
  plane: Plane,
  call: ClientCall,
  { connector, definition }: Offer<'tools'>,
  { form, task }: CreatedTask,
): Promise<JsonObject> {
  const id = randomBytes(24).toString('base64url');
  const { issuer, subject } = call.user;
  const target = createTarget(connector, call.user);
  const exposed = exposeTask(form, task, id);
  const stored: NewTask = {
    id,
    issuer,
    subject,
    form,
    connectorId: connector.id,
    identity: target.identity,
    ownerKey: createCallOwner(call).key,
    toolName: definition.name,
    upstreamId: task.taskId,
    state: toStoredState(exposed),
    expiresAt: new Date(plane.now().getTime() + getLifetime(form, task)),
  };
  if (await plane.tasks.save(stored, MAX_TASKS_PER_USER)) {
    if (call.sessionId !== undefined) holdForTask(plane, call.sessionId, call.user, target, stored);
    return form === 'core' ? { task: exposed } : { ...exposed, resultType: 'task' };
  }
  await cancelUpstream(plane, call, stored, target);
  throw new RpcError(
    ErrorCode.internalError,
    `you have ${MAX_TASKS_PER_USER} tasks, the most: the new one was cancelled; wait until older ones expire`,
  );
}

function holdForTask(
  plane: Plane,
  sessionId: string,
  user: AuthenticatedUser,
  target: UpstreamTarget,
  task: NewTask,
): void {
  plane.upstreams.holdForTask(target, task, task.expiresAt.getTime());
  plane.onTaskCreated(target, { user, sessionId, task });
}

/** An upstream that does not cancel the task ends it by itself. */
async function cancelUpstream(
  plane: Plane,
  call: ClientCall,
  { upstreamId }: StoredTask,
  target: UpstreamTarget,
): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  await plane.upstreams
    .call(
      target,
      createCallOwner(call),
      (upstream) => upstream.request('tasks/cancel', { taskId: upstreamId }, { signal }),
      () => true,
    )
    .catch(() => undefined);
}
