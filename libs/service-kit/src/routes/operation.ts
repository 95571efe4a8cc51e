import { applyDecorators, HttpCode } from '@nestjs/common';
import type { OperationOptions } from './route-facts.ts';
import { describeRoute } from './route.ts';

/** Default body limit of a route: 1 MiB. */
export const BODY_BYTES = 1024 * 1024;

/** Body limit of batches and collections: 8 MiB. */
export const BATCH_BODY_BYTES = 8 * BODY_BYTES;

/** Documents a route and sets its success status. */
export const Operation = (operation: OperationOptions): MethodDecorator =>
  applyDecorators(HttpCode(operation.success.status), describeRoute({ operation }));
