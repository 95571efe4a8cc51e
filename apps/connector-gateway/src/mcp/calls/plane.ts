import {
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Entitlements } from '../ports/snapshot.ts';
import type { CallRecorder } from '../ports/tool-call.ts';
import { Access, type Person } from '../access/access.ts';
import { type DirectoryView, DirectoryUnavailableError } from '../access/directory-view.ts';
import type { Limits } from '../ports/limits.ts';
import type { PlaneLog } from '../ports/plane-log.ts';
import type { Offers } from '../catalogue/offers.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';

/** Everything that requests of the data plane share. */
export interface Plane {
  directory: DirectoryView;
  offers: Offers;
  upstreams: Upstreams;
  recorder: CallRecorder;
  limits: Limits;
  /**
   * Seals what an upstream wants back in the next round of a request, bound to person and thing.
   */
  state: RequestStateCodec<SealedState>;
  now: () => Date;
  log: PlaneLog;
}

/**
 * The state of an upstream between two rounds of one request, and for which request it was given
 * out.
 */
export interface SealedState {
  target: string;
  state: string;
}

/** A request of one person: who it is, and what the directory says at this moment. */
export interface Visit {
  person: Person;
  access: Access;
  entitlements: Entitlements | undefined;
}

/** The person that the endpoint verified for this very request. */
export function personOf(context: ServerContext): Person {
  const person = context.http?.authInfo?.extra?.['person'];
  if (person === undefined)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'the request carries no verified person');
  return person as Person;
}

/**
 * Whether the client does not read as fast as the answer is written. Progress and log messages are
 * left out then: they would only pile up here, and the next one says more than the one that was
 * left out.
 */
export const isBehind = (context: ServerContext): boolean => {
  const isBehindNow = context.http?.authInfo?.extra?.['isBehind'] as (() => boolean) | undefined;
  return isBehindNow?.() === true;
};

/**
 * Notes that the call of this request is on record, or is just going to be: the endpoint need not
 * do it.
 */
export function noteOnRecord(context: ServerContext): void {
  const noted = context.http?.authInfo?.extra?.['noted'] as Noted | undefined;
  if (noted !== undefined) noted.call = true;
}

/** Whether the tool call of a request is on record. */
export interface Noted {
  call: boolean;
}

/** Looks up the rights of a person now. @throws DirectoryUnavailableError */
export async function visit(plane: Plane, person: Person): Promise<Visit> {
  const entitlements = await plane.directory.entitlements(person);
  const rules = plane.directory.rules();
  if (rules === undefined) throw new DirectoryUnavailableError('no snapshot of the directory was ever received');
  return { person, entitlements, access: new Access(rules, person, entitlements) };
}

/** The same for a request handler: an unreachable directory is an error that says so. */
export async function visitOf(plane: Plane, context: ServerContext): Promise<Visit> {
  try {
    return await visit(plane, personOf(context));
  } catch (error) {
    throw error instanceof DirectoryUnavailableError ? unavailable() : error;
  }
}

/** What a person is told while the directory cannot be asked. */
export const unavailable = (): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InternalError, 'the directory cannot be reached at the moment; try again later');
