import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import type { IssuerSettings } from '@gatehouse/service-kit/config';
import type { EntityManager } from 'typeorm';
import type { JsonObject, JsonText, PatchOperation, Projection, ResourceType, ScimError } from '../protocol/types.ts';
import type { Page, PageRequest } from '../http/scim-page.ts';

/** A stored resource. */
export interface ScimRow {
  id: string;
  /** Incremented by every change. */
  version: number;
}

/** The transaction of a write, with its caller. */
export interface ScimWrite {
  manager: EntityManager;
  caller: OwnCaller;
  issuer: IssuerSettings;
  /** Time of the write, RFC 3339 in UTC. */
  now: string;
}

/**
 * The operations that differ between users and groups. Read methods validate a body before or in
 * the transaction and throw ScimError 400.
 * @typeParam Row a stored resource
 * @typeParam Input a new resource, read from a body
 * @typeParam Change a change of a stored resource, read from a body
 */
export interface ScimStore<Row extends ScimRow, Input, Change> {
  readonly resourceType: ResourceType;
  /** Whether a PATCH returns 204 unless the request names attributes (RFC 7644 §3.5.2). */
  readonly isPatchResponseOptional: boolean;
  readPage(issuer: IssuerSettings, request: PageRequest): Promise<Page<Row>>;
  find(issuer: IssuerSettings, id: string, manager?: EntityManager): Promise<Row | undefined>;
  /** Renders resources as JSON. */
  render(issuer: IssuerSettings, rows: readonly Row[], projection: Projection): Promise<JsonText[]>;
  /** Reads the body of a POST. */
  readInput(body: JsonObject): Input;
  /** Reads the body of a PUT. */
  readReplacement(body: JsonObject): Change;
  /** Reads the operations of a PATCH. */
  readOperations(operations: readonly PatchOperation[]): Change;
  /** Stores a new resource. @returns its id and the names of its attributes, for the audit event */
  create(write: ScimWrite, input: Input): Promise<{ id: string; attributes: string[] }>;
  /** Locks a resource for a change. */
  lock(write: ScimWrite, id: string, change: Change): Promise<Row | undefined>;
  /** Applies a change to a locked resource. @returns the changed attributes; empty for no change */
  update(write: ScimWrite, row: Row, change: Change): Promise<string[]>;
  /** Locks a resource for its removal. */
  lockForDelete(write: ScimWrite, id: string): Promise<Row | undefined>;
  /** Removes a locked resource. */
  delete(write: ScimWrite, id: string): Promise<void>;
  /** Converts a unique violation to the SCIM error. */
  toConflict(error: unknown): ScimError | undefined;
}
