import type { Role } from '@gatehouse/auth/roles';
import type { ZodType } from 'zod';

/** A role that a route can ask for. `user` and `any` stand for every verified token but one that has the role `gateway` alone. */
export type RequiredRole = Role | 'any';

/** Who may call a route: everybody, whoever the route itself lets in (raw routes of a side listener only), or a token with one of the roles. */
export type Access = 'public' | 'self' | readonly RequiredRole[];

/** The success answer of an operation. */
export interface SuccessAnswer {
  status: number;
  /** Body; its `.meta({ id })` names the component. Without it the answer has no body. */
  schema?: ZodType;
  /** Default application/json when there is a schema. Another type without a schema is documented as a string. */
  contentType?: string;
  /** Response headers, for example ETag or Location. */
  headers?: readonly string[];
}

/** Everything the OpenAPI document says about a route that its parameters do not. */
export interface OperationOptions {
  /** The operation's name in the contract. */
  summary: string;
  description?: string;
  success: SuccessAnswer;
  /** Statuses it may answer besides success; 401 and 403 are added from the role, 400 where there is something to validate, 413 and 415 where there is a body. */
  errors: readonly number[];
  /** The write takes If-Match: documented as header parameter with 412, and 428 when required. The handler calls requireMatch. */
  ifMatch?: 'required' | 'optional';
  /** The read takes If-None-Match: documented with 304 and the ETag header. The handler returns withETag. */
  ifNoneMatch?: true;
  /** Largest body in bytes; default 1 MiB (BATCH_BODY_BYTES for batches). */
  bodyLimit?: number;
  /** Accepted content types of the body; default application/json alone. */
  bodyContentTypes?: readonly string[];
  /**
   * The schemas of the body judge its text: NUL and halves of surrogate pairs are not refused beforehand. For batches, where such an item must not hurt the
   * others.
   */
  judgesText?: true;
  /** Group in the reference; default is the first path segment after /v1. */
  tag?: string;
}

/** What the decorators say about a route. It lies in the Fastify route configuration, so the hooks read it without reflection. */
export interface RouteFacts {
  /** Who may call; a route without it stops the start. */
  access?: Access;
  operation?: OperationOptions;
}
