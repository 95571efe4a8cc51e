/**
 * The actions on the things of a server. `call_method` is any method that MCP does not define; a
 * policy must name it.
 */
export type AuthorizedUse =
  'call_tool' | 'get_prompt' | 'read_resource' | 'get_task' | 'update_task' | 'cancel_task' | 'call_method';

/** One question: may this caller use this thing? */
export interface UseRequest {
  /** The claims of the caller; undefined without authentication. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
  readonly use: AuthorizedUse;
  /** The server's name of a tool or prompt, a method, a URI of a resource, or an id of a task. */
  readonly id: string;
  /** The arguments of a call; none for an item of a list. */
  readonly args?: unknown;
  /** The hints of the server about a tool, such as `readOnlyHint`. */
  readonly hints?: Readonly<Record<string, boolean>> | undefined;
}

/** Decides who may use what. It answers at once, because items of lists are asked one by one. */
export interface Authorizer {
  /** Never throws: a failure is a refusal. */
  allows(request: UseRequest): boolean;
}
