import type { Role } from '@gatehouse/auth/roles';
import type { ZodObject, ZodType } from 'zod';
import type { OwnAccess } from './caller-check.ts';
import type { BodyForm } from '../json/body-form.ts';

/**
 * A role that a route can ask for. `user` and `any` stand for every verified token but one that has
 * the role `gateway` alone.
 */
export type RequiredRole = Role | 'any';

/**
 * The access rule of a route. `public`: all callers. `self`: the route checks its callers itself,
 * for raw routes of a side listener. OwnAccess: callers that a class of the service recognises.
 * Roles: callers whose token has one of them.
 */
export type Access = 'public' | 'self' | OwnAccess | readonly RequiredRole[];

/** The check and the credential of a route with callers of its own. */
export const ownAccess = (access: Access | undefined): OwnAccess | undefined =>
  typeof access === 'object' && 'check' in access ? access : undefined;

/** The success answer of an operation. */
export interface SuccessAnswer {
  status: number;
  /** Body; its `.meta({ id })` names the component. Without it the answer has no body. */
  schema?: ZodType;
  /**
   * Default application/json when there is a schema. Another type without a schema is documented as
   * a string.
   */
  contentType?: string;
  /**
   * Types in which the same is sent to callers whose Accept asks for them; documented as strings.
   */
  alsoAs?: readonly string[];
  /**
   * Statuses of further successes without a body, for example 204 when the caller did not ask for a
   * body (`noContent`).
   */
  alsoEmpty?: readonly number[];
  /** Response headers, for example ETag or Location. */
  headers?: readonly string[];
}

/** Handwritten examples of an operation; what is left out is made from the schemas. */
export interface OperationExamples {
  body?: unknown;
  answer?: unknown;
  /** By name of the parameter. */
  parameters?: Readonly<Record<string, unknown>>;
  /** The sentence of a failure, by status. */
  failures?: Readonly<Record<number, string>>;
}

/** The facts of a route for its OpenAPI document that its parameters do not give. */
export interface OperationOptions extends BodyForm {
  /** Operation id; default `Controller_method`, without the suffix of the class. */
  id?: string;
  /** The operation's name in the contract. */
  summary: string;
  description?: string;
  success: SuccessAnswer;
  /**
   * Statuses it may answer besides success; 401 and 403 are added from the role, 400 where there is
   * something to validate, 413 and 415 where there is a body.
   */
  errors: readonly number[];
  /**
   * The write takes If-Match: documented as header parameter with 412, and 428 when required. The
   * handler calls requireMatch.
   */
  ifMatch?: 'required' | 'optional';
  /**
   * The read takes If-None-Match: documented with 304 and the ETag header. The handler returns
   * withETag. A write without it refuses the header.
   */
  ifNoneMatch?: true;
  /**
   * Request headers of the operation, by their usual names; the handler takes them with
   * @RequestHeaders and the same schema.
   */
  headers?: ZodObject;
  /**
   * What the rest of the path is called, on a route that ends in `*`: in the document and for the
   * handler. Default `path` in the document, `*` for the handler.
   */
  rest?: string;
  /** Largest body in bytes; default 1 MiB (BATCH_BODY_BYTES for batches). */
  bodyLimit?: number;
  /** Accepted content types of the body; default application/json alone. */
  bodyContentTypes?: readonly string[];
  /** Group in the reference; default is the first path segment after /v1. */
  tag?: string;
  /** Examples for the reference, where those made from the schemas say too little. */
  examples?: OperationExamples;
}

/**
 * The facts that decorators give a route. They are in the Fastify route configuration, so hooks
 * read them without reflection.
 */
export interface RouteFacts {
  /** A route without an access rule stops the start. */
  access?: Access;
  /** Which gateways may call a route for the role `gateway`; the service's CallerRule checks it. */
  gateway?: { kinds: readonly string[]; retired?: true };
  /**
   * `admitted`: a person whose directory entry is inactive may call it too; the service's
   * CallerRule checks it.
   */
  inactive?: 'admitted';
  operation?: OperationOptions;
  /** Whether the handler has parameters for a body and for a query. */
  takes?: { body: boolean; query: boolean };
}

/** The types of body that a route takes: application/json alone where it says nothing. */
export const bodyTypesOf = (facts: RouteFacts | undefined): readonly string[] =>
  facts?.operation?.bodyContentTypes ?? ['application/json'];
