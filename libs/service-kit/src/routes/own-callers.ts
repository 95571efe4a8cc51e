import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext, Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CallerCheck, OwnCaller, SecurityScheme } from './caller-check.ts';
import { HttpError } from '../errors/http-error.ts';
import { describeRoute } from './route.ts';

/**
 * Opens a route to callers that `check` authenticates. Other requests get 401 before the body is
 * read. The route has no roles and so no 403.
 */
export const AuthenticatedBy = (check: Type<CallerCheck>, scheme: SecurityScheme): MethodDecorator =>
  describeRoute({ access: { check, scheme } });

/** Parameter decorator: the OwnCaller of the request. */
export const CurrentOwnCaller = createParamDecorator((_: undefined, context: ExecutionContext): OwnCaller => {
  const { ownCaller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!ownCaller) throw new HttpError('unauthenticated', 'this operation requires another kind of token');
  return ownCaller;
});
