import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { VerifiedToken } from '@gatehouse/auth/token-verifier';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';
import type { RequiredRole } from './route-facts.ts';
import { describeRoute } from './route.ts';

/** The person or service behind a request: a verified token and the request it came with. */
export interface Caller extends VerifiedToken {
  requestId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/**
 * Opens a route to verified tokens with any of the roles. Others get 401 or 403 before the body is
 * read.
 */
export const Requires = (...roles: [RequiredRole, ...RequiredRole[]]): MethodDecorator =>
  describeRoute({ access: roles });

/** Opens a route to everybody. A token that is sent along is not looked at. */
export const Public = (): MethodDecorator => describeRoute({ access: 'public' });

/** Lets a route be called by people whose directory entry is inactive. */
export const AdmitsInactive = (): MethodDecorator => describeRoute({ inactive: 'admitted' });

/** The caller of a raw Fastify request; only on routes that require a role. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new HttpError('unauthenticated', 'this operation needs an access token');
  return request.caller;
}

/** Parameter decorator: the Caller of the request. */
export const CurrentCaller = createParamDecorator((_: undefined, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
