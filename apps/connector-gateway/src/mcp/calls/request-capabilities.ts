import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import type { TaskForm } from '../ports/task-store.ts';
import { TASKS_EXTENSION } from './task-forms.ts';

/** The capabilities with which a server may send requests to a client. */
const REQUEST_CAPABILITIES = ['elicitation', 'sampling', 'roots'] as const;

/** The name of such a capability. */
export type RequestCapability = (typeof REQUEST_CAPABILITIES)[number];

/** Most clients declare none; they share this object. */
const NO_CAPABILITIES: JsonObject = Object.freeze({});

/**
 * Selects the capabilities that the gateway passes on to upstreams.
 * @param declared by the client: with its request, or at the begin of its session
 * @param taskForm the form of tasks that the client uses, if it has no session
 */
export function selectRequestCapabilities(declared: JsonObject, taskForm?: TaskForm): JsonObject {
  const selected: JsonObject = {};
  let isEmpty = true;
  for (const name of REQUEST_CAPABILITIES) {
    if (!isJsonObject(declared[name])) continue;
    selected[name] = declared[name];
    isEmpty = false;
  }
  if (taskForm === 'extension') return { ...selected, extensions: { [TASKS_EXTENSION]: {} } };
  return isEmpty ? NO_CAPABILITIES : selected;
}
