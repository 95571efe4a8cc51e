import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import type { Access, AuthenticatedUser } from '../access/access.ts';
import type { AccessCache } from '../access/access-cache.ts';
import { type DirectoryView, DirectoryUnavailableError } from '../access/directory-view.ts';
import type { Offers } from '../catalog/offers.ts';
import type { CallLimits } from '../limits/call-limits.ts';
import type { ToolPins } from '../pinning/tool-pins.ts';
import type { Limits } from '../ports/limits.ts';
import type { PlaneLog } from '../ports/plane-log.ts';
import type { ConnectLinks } from '../ports/personal-credentials.ts';
import type { Connector, Entitlements } from '../ports/snapshot.ts';
import type { Replicas } from '../ports/replicas.ts';
import type { StreamOwners } from '../ports/stream-owners.ts';
import type { NewTask, TaskStore } from '../ports/task-store.ts';
import type { CallRecorder } from '../ports/tool-call.ts';
import type { ViewKeys } from '../catalog/view-keys.ts';
import type { ToolIndexes } from '../search/tool-indexes.ts';
import type { RedactedLists } from '../catalog/redacted-lists.ts';
import type { ToolLists } from '../catalog/tool-lists.ts';
import type { UpstreamTarget } from '../upstreams/credential-identity.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { ParkedCalls } from './parked-calls.ts';
import type { RequestStates } from './request-states.ts';

/** The dependencies of all data plane requests. */
export interface Plane {
  directory: DirectoryView;
  accesses: AccessCache;
  offers: Offers;
  pins: ToolPins;
  redactedLists: RedactedLists;
  viewKeys: ViewKeys;
  toolLists: ToolLists;
  toolIndexes: ToolIndexes;
  upstreams: Upstreams;
  recorder: CallRecorder;
  limits: Limits;
  callLimits: CallLimits;
  states: RequestStates;
  parked: ParkedCalls;
  tasks: TaskStore;
  /** Links for sign-ins at providers; undefined where no page exists. */
  links: ConnectLinks;
  replicas: Replicas;
  streams: StreamOwners;
  /** Called with each new task of a session. */
  onTaskCreated: (target: UpstreamTarget, created: SessionTask) => void;
  /** Called with the number of passages that were redacted in a message. */
  onRedacted: (connector: Connector, count: number) => void;
  now: () => Date;
  log: PlaneLog;
}

/** A task that this process created for a session. */
export interface SessionTask {
  user: AuthenticatedUser;
  sessionId: string;
  task: NewTask;
}

/** The user of a request with the current rights. */
export interface RequestScope {
  user: AuthenticatedUser;
  access: Access;
  entitlements: Entitlements | undefined;
}

/**
 * Looks up the current rights of a user, at once if the user is known.
 * @throws DirectoryUnavailableError also at once
 */
export function resolveRequestScope(plane: Plane, user: AuthenticatedUser): RequestScope | Promise<RequestScope> {
  const found = plane.directory.getEntitlements(user);
  return found instanceof Promise
    ? found.then((entitlements) => createRequestScope(plane, user, entitlements))
    : createRequestScope(plane, user, found);
}

function createRequestScope(
  plane: Plane,
  user: AuthenticatedUser,
  entitlements: Entitlements | undefined,
): RequestScope {
  const rules = plane.directory.getRules();
  if (rules === undefined) throw new DirectoryUnavailableError('no snapshot of the directory was ever received');
  return { user, entitlements, access: plane.accesses.get(rules, user, entitlements) };
}

/** Looks up the rights for a method. An unavailable directory becomes a JSON-RPC error. */
export async function requireRequestScope(plane: Plane, user: AuthenticatedUser): Promise<RequestScope> {
  try {
    return await resolveRequestScope(plane, user);
  } catch (error) {
    throw error instanceof DirectoryUnavailableError ? createDirectoryUnavailableError() : error;
  }
}

/** The error of a request while the directory is unavailable. */
export const createDirectoryUnavailableError = (): RpcError =>
  new RpcError(ErrorCode.internalError, 'the directory cannot be reached at the moment; try again later');
