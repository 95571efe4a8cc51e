import type { Role } from '@gatehouse/auth/roles';
import type { ZodObject, ZodType } from 'zod';
import type { OwnAccess } from './caller-check.ts';
import type { BodyForm } from '../json/body-form.ts';

/**
 * A role that a route can require. `user` and `any` mean every verified token, except one with only
 * the role `gateway`.
 */
export type RequiredRole = Role | 'any';

/**
 * The access rule of a route. `public`: all callers. `self`: the handler itself checks its callers,
 * for routes that a side listener (a further port) registers. OwnAccess: callers that a class of
 * the service authenticates. Roles: callers whose token has one of them.
 */
export type Access = 'public' | 'self' | OwnAccess | readonly RequiredRole[];

/** The check and the credential of a route with callers of its own. */
export const ownAccess = (access: Access | undefined): OwnAccess | undefined =>
  typeof access === 'object' && 'check' in access ? access : undefined;

/** The success answer of an operation. */
export interface SuccessAnswer {
  status: number;
  /** The body; its `.meta({ id })` names the component. Without a schema there is no body. */
  schema?: ZodType;
  /**
   * Default application/json with a schema. Another type without a schema is documented as a
   * string.
   */
  contentType?: string;
  /**
   * Further content types of the same answer, chosen by Accept; documented as strings.
   */
  alsoAs?: readonly string[];
  /**
   * Statuses of further successes without a body, for example 204 (`noContent`).
   */
  alsoEmpty?: readonly number[];
  /** Response headers, for example ETag or Location. */
  headers?: readonly string[];
}

/** Handwritten examples of an operation. Other examples are generated from the schemas. */
export interface OperationExamples {
  body?: unknown;
  response?: unknown;
  /** By name of the parameter. */
  parameters?: Readonly<Record<string, unknown>>;
  /** The sentence of a failure, by status. */
  failures?: Readonly<Record<number, string>>;
}

/** The facts of a route for the OpenAPI document, beside its parameters. */
export interface OperationOptions extends BodyForm {
  /** Operation id; default `Controller_method`, without the suffix of the class. */
  id?: string;
  /** The operation's name in the contract. */
  summary: string;
  description?: string;
  success: SuccessAnswer;
  /**
   * Failure statuses. 401 and 403 are added by the access rule, 400 always, 413 and 415 for a body.
   */
  errors: readonly number[];
  /**
   * The write accepts If-Match, documented as a header parameter with 412, and 428 if required. The
   * handler calls requireMatch.
   */
  ifMatch?: 'required' | 'optional';
  /**
   * The operation accepts If-None-Match, documented with 304 and the header ETag. The handler
   * returns withETag. Other writes refuse the header.
   */
  ifNoneMatch?: true;
  /**
   * Request headers of the operation by their usual names. The handler reads them with
   * @RequestHeaders and the same schema.
   */
  headers?: ZodObject;
  /**
   * Name of the rest of the path, for a route that ends in `*`. Default `path` in the document, `*`
   * for the handler.
   */
  rest?: string;
  /** Largest body in bytes; default 1 MiB (BATCH_BODY_BYTES for batches). */
  bodyLimit?: number;
  /** Accepted content types of the body; default application/json. */
  bodyContentTypes?: readonly string[];
  /** Group in the reference; default the first path segment after /v1. */
  tag?: string;
  /** Handwritten examples for the reference. */
  examples?: OperationExamples;
}

/**
 * The facts of a route from its decorators. They are in the Fastify route configuration, so that
 * hooks read them without reflection.
 */
export interface RouteFacts {
  /** A route without an access rule stops the start. */
  access?: Access;
  /** The gateways that may call a route for the role `gateway`; the CallerRule checks it. */
  gateway?: { kinds: readonly string[]; retired?: true };
  /**
   * `admitted`: a user with an inactive directory entry may also call it; the CallerRule checks it.
   */
  inactive?: 'admitted';
  operation?: OperationOptions;
  /** Whether the handler has parameters for a body and for a query. */
  takes?: { body: boolean; query: boolean };
}

/** The content types of the body that a route accepts; default application/json. */
export const getBodyContentTypes = (facts: RouteFacts | undefined): readonly string[] =>
  facts?.operation?.bodyContentTypes ?? ['application/json'];
