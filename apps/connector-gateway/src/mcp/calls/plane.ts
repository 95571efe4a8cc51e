import {
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Entitlements } from '../ports/snapshot.ts';
import type { CallRecorder } from '../ports/tool-call.ts';
import { Access, type AuthenticatedUser } from '../access/access.ts';
import { type DirectoryView, DirectoryUnavailableError } from '../access/directory-view.ts';
import type { Limits } from '../ports/limits.ts';
import type { PlaneLog } from '../ports/plane-log.ts';
import type { Offers } from '../catalog/offers.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';

/** The dependencies of all data plane requests. */
export interface Plane {
  directory: DirectoryView;
  offers: Offers;
  upstreams: Upstreams;
  recorder: CallRecorder;
  limits: Limits;
  /**
   * Seals the state that an upstream wants back in the next round, bound to the user and the
   * request.
   */
  state: RequestStateCodec<SealedState>;
  now: () => Date;
  log: PlaneLog;
}

/** The state of an upstream between two rounds, and the request to which it belongs. */
export interface SealedState {
  target: string;
  state: string;
}

/** The user of a request with the current rights. */
export interface RequestScope {
  user: AuthenticatedUser;
  access: Access;
  entitlements: Entitlements | undefined;
}

/** The user that the endpoint verified for this request. */
export function getUser(context: ServerContext): AuthenticatedUser {
  const user = context.http?.authInfo?.extra?.['user'];
  if (user === undefined)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'the request carries no verified user');
  return user as AuthenticatedUser;
}

/**
 * Whether the client reads slower than the response is written. Progress and log messages are
 * dropped then, since they would only queue up.
 */
export const isClientSlow = (context: ServerContext): boolean => {
  const isSlowNow = context.http?.authInfo?.extra?.['isClientSlow'] as (() => boolean) | undefined;
  return isSlowNow?.() === true;
};

/** Marks the call of this request as recorded, so that the endpoint does not record it again. */
export function markCallRecorded(context: ServerContext): void {
  const callRecord = context.http?.authInfo?.extra?.['callRecord'] as CallRecordState | undefined;
  if (callRecord !== undefined) callRecord.isRecorded = true;
}

/** Whether the tool call of a request has a record. */
export interface CallRecordState {
  isRecorded: boolean;
}

/** Looks up the current rights of a user. @throws DirectoryUnavailableError */
export async function resolveRequestScope(plane: Plane, user: AuthenticatedUser): Promise<RequestScope> {
  const entitlements = await plane.directory.getEntitlements(user);
  const rules = plane.directory.getRules();
  if (rules === undefined) throw new DirectoryUnavailableError('no snapshot of the directory was ever received');
  return { user, entitlements, access: new Access(rules, user, entitlements) };
}

/** Looks up the rights for a request handler. An unavailable directory becomes a ProtocolError. */
export async function requireRequestScope(plane: Plane, context: ServerContext): Promise<RequestScope> {
  try {
    return await resolveRequestScope(plane, getUser(context));
  } catch (error) {
    throw error instanceof DirectoryUnavailableError ? createDirectoryUnavailableError() : error;
  }
}

/** The error of a request while the directory is unavailable. */
export const createDirectoryUnavailableError = (): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InternalError, 'the directory cannot be reached at the moment; try again later');
