import type { JsonObject, RpcNotification } from '@gatehouse/mcp/json-rpc';
import { LRUCache } from 'lru-cache';
import { CallContent } from '../calls/call-content.ts';
import { type Plane, requireRequestScope, type SessionTask } from '../calls/plane.ts';
import { exposeTask, requireTaskState, toStoredState } from '../calls/task-forms.ts';
import { getTargetKey, type UpstreamTarget } from '../upstreams/credential-identity.ts';

/** Most tasks of this process whose updates are delivered. */
const MAX_TASKS = 10_000;

/**
 * Delivers `notifications/tasks/status` of upstreams to the session that created the task, on its
 * standalone stream. Clients must not rely on them (MCP 2025-11-25, tasks), so only the process
 * that created a task does it.
 */
export class TaskUpdates {
  private readonly watched = new LRUCache<string, SessionTask>({ max: MAX_TASKS });

  /** @param send sends a message on the standalone stream of a session, if it has one */
  constructor(
    private readonly plane: Plane,
    private readonly send: (sessionId: string, message: RpcNotification) => void,
  ) {}

  /** Delivers the updates of a task from now on. */
  watch(target: UpstreamTarget, watched: SessionTask): void {
    const ttl = Math.max(1, watched.task.expiresAt.getTime() - this.plane.now().getTime());
    this.watched.set(createKey(target, watched.task.upstreamId), watched, { ttl });
  }

  /** Receives an update. One of an unknown task is ignored. */
  async receive(target: UpstreamTarget, params: JsonObject): Promise<void> {
    try {
      const state = requireTaskState(params);
      const found = this.watched.get(createKey(target, state.taskId));
      if (found === undefined || !(await this.isAllowed(target, found))) return;
      const { task, sessionId } = found;
      const received = await new CallContent(this.plane, target.connector).receive(state);
      const exposed = exposeTask(task.form, received, task.id);
      await this.plane.tasks.update(task.id, toStoredState(exposed));
      this.send(sessionId, { jsonrpc: '2.0', method: 'notifications/tasks/status', params: exposed });
    } catch (error) {
      this.plane.log.warn({ err: error }, 'an update of a task could not be delivered');
    }
  }

  private async isAllowed({ connector }: UpstreamTarget, { user, task }: SessionTask): Promise<boolean> {
    const { access } = await requireRequestScope(this.plane, user);
    return access.isAllowed(connector, { kind: 'tool', name: task.toolName });
  }
}

const createKey = (target: UpstreamTarget, upstreamId: string): string => `${getTargetKey(target)} ${upstreamId}`;
