import { isJsonObject, type JsonObject, type RpcMessage } from '@gatehouse/mcp/json-rpc';
import { getMeta, MetaKey } from '@gatehouse/mcp/meta';

/** The extension of revision 2026-07-28 in which each call can become a task. */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
/** The number of tasks whose owners are kept. */
const MAX_TASKS = 10_000;

/** Whether the answer to a call of a tool can be a task. */
export function canBecomeTask(params: JsonObject | undefined): boolean {
  if (params?.['task'] !== undefined) return true;
  const capabilities = getMeta(params)?.[MetaKey.clientCapabilities];
  const extensions = isJsonObject(capabilities) ? capabilities['extensions'] : undefined;
  return isJsonObject(extensions) && Object.hasOwn(extensions, TASKS_EXTENSION);
}

/**
 * Remembers the callers whose calls became tasks. An HTTP server does not know the callers of the
 * proxy, so that only the proxy can keep their tasks apart.
 */
export class TaskOwners {
  private readonly owners = new Map<string, string>();

  /** Notes the task in an answer to a caller. The first owner of an id stays. */
  learn(answer: RpcMessage, subject: string): void {
    const id = 'result' in answer ? readTaskId(answer.result) : undefined;
    if (id === undefined || this.owners.has(id)) return;
    this.owners.set(id, subject);
    const [oldest] = this.owners.keys();
    if (this.owners.size > MAX_TASKS && oldest !== undefined) this.owners.delete(oldest);
  }

  /** Whether the task is known to belong to another caller. */
  isForeign(id: string, subject: string): boolean {
    const owner = this.owners.get(id);
    return owner !== undefined && owner !== subject;
  }
}

/** Revision 2025-11-25 has the task in a member, the extension of 2026-07-28 is the task itself. */
function readTaskId(result: JsonObject): string | undefined {
  const task = result['resultType'] === 'task' ? result : result['task'];
  const id = isJsonObject(task) ? task['taskId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
