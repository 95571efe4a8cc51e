import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { VerifiedToken } from '@gatehouse/auth/token-verifier';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';
import type { RequiredRole } from './route-facts.ts';
import { describeRoute } from './route.ts';

/** The caller of a request: a verified access token and the id of the request. */
export interface Caller extends VerifiedToken {
  requestId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/**
 * Opens a route to verified tokens with one of the roles. Other requests get 401 or 403 before the
 * body is read.
 */
export const Requires = (...roles: [RequiredRole, ...RequiredRole[]]): MethodDecorator =>
  describeRoute({ access: roles });

/** Opens a route to all callers. A token is ignored. */
export const Public = (): MethodDecorator => describeRoute({ access: 'public' });

/** Opens a route also to users whose directory entry is inactive. */
export const AdmitsInactive = (): MethodDecorator => describeRoute({ inactive: 'admitted' });

/** The caller of a raw Fastify request; only on routes that require a role. */
export function requireCaller(request: FastifyRequest): Caller {
  if (!request.caller) throw new HttpError('unauthenticated', 'this operation needs an access token');
  return request.caller;
}

/** Parameter decorator: the Caller of the request. */
export const CurrentCaller = createParamDecorator((_: undefined, context: ExecutionContext) =>
  requireCaller(context.switchToHttp().getRequest<FastifyRequest>()),
);
