import type { JsonObject } from '@gatehouse/mcp/json-rpc';

/**
 * The form of tasks that a client uses: `core` of revision 2025-11-25, or the `extension`
 * io.modelcontextprotocol/tasks of revision 2026-07-28. They are not compatible.
 */
export type TaskForm = 'core' | 'extension';

/** The owner of a task. */
export interface TaskOwner {
  issuer: string;
  subject: string;
}

/** A task of an upstream, under the id of this gateway. */
export interface StoredTask extends TaskOwner {
  /** The id for the client; it cannot be guessed. */
  id: string;
  form: TaskForm;
  connectorId: string;
  /** The credential identity with which the upstream created the task. */
  identity: string;
  /** Key of the connection that created the task; an upstream may know it on this one only. */
  ownerKey: string;
  /** The upstream's own name of the tool. */
  toolName: string;
  /** The upstream's own id of the task. */
  upstreamId: string;
  /** The last known state for the client, without its result. */
  state: JsonObject;
}

/** A task to store. */
export interface NewTask extends StoredTask {
  /** Time from which the task is unknown. */
  expiresAt: Date;
}

/** A place in the list of a user's tasks. */
export interface TaskPlace {
  /** RFC 3339. */
  createdAt: string;
  id: string;
}

/** Stores tasks for all replicas. */
export interface TaskStore {
  /** @returns false if the user has `most` tasks; the task is not stored then */
  save(task: NewTask, most: number): Promise<boolean>;
  /** The task of this user; undefined for any other id. */
  find(id: string, owner: TaskOwner): Promise<StoredTask | undefined>;
  /** A page of a user's tasks in one form, newest first; `after` is the last place before it. */
  list(
    owner: TaskOwner,
    form: TaskForm,
    page: { after: TaskPlace | undefined; limit: number },
  ): Promise<readonly (StoredTask & { place: TaskPlace })[]>;
  /** Replaces the last known state. */
  update(id: string, state: JsonObject): Promise<void>;
}
