import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { addMeta, getMeta } from '@gatehouse/mcp/meta';
import { removeReservedMeta } from './meta.ts';

/** The key of `_meta` that names the task of a message (MCP 2025-11-25, tasks). */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** The ids of the task that a request is about. */
export interface TaskIds {
  /** The upstream's own id. */
  upstreamId: string;
  /** The id for the client. */
  id: string;
}

/** Names the task of a message for the client. */
export const nameTask = (holder: JsonObject, id: string): JsonObject =>
  addMeta(holder, { [RELATED_TASK]: { taskId: id } });

/**
 * The params of an upstream's message for the client, without reserved members of `_meta`. A
 * message of the task that the request is about names it under the client's id.
 */
export function exposeParams(params: JsonObject, task: TaskIds | undefined): JsonObject {
  const related = getMeta(params)?.[RELATED_TASK];
  const exposed = removeReservedMeta(params);
  const isOfTask = task !== undefined && isJsonObject(related) && related['taskId'] === task.upstreamId;
  return isOfTask ? nameTask(exposed, task.id) : exposed;
}
