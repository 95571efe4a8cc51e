import { applyDecorators, HttpCode } from '@nestjs/common';
import type { ZodType } from 'zod';
import { describeRoute } from './route.ts';

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
  /** Group in the reference; default is the first path segment after /v1. */
  tag?: string;
}

/** Body limit of every route that says nothing: 1 MiB. */
export const BODY_BYTES = 1024 * 1024;

/** Body limit of batches and collections: 8 MiB. */
export const BATCH_BODY_BYTES = 8 * BODY_BYTES;

/** Documents a route and sets its success status. */
export const Operation = (operation: OperationOptions): MethodDecorator =>
  applyDecorators(HttpCode(operation.success.status), describeRoute({ operation }));
