import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** A caller that the service itself authenticates, by another credential than an access token. */
export interface OwnCaller {
  /**
   * With `subject`, the name of the caller in the audit trail and in the log. It differs from all
   * issuers of tokens.
   */
  issuer: string;
  issuerId: string;
  subject: string;
  requestId: string;
}

/** A request before its body is read. */
export type IncomingRequest = FastifyRequest;

/** An injectable class that authenticates such callers before the body is read. */
export interface CallerCheck {
  /** @throws HttpError unauthenticated with the header `www-authenticate` (RFC 9110 §11.6.1) */
  authenticate(request: IncomingRequest): Promise<OwnCaller>;
}

/** The credential in the OpenAPI document. */
export interface SecurityScheme {
  /** Key among the document's security schemes. */
  name: string;
  description: string;
}

/** The check and the credential of a route with callers of its own. */
export interface OwnAccess {
  check: Type<CallerCheck>;
  scheme: SecurityScheme;
}

declare module 'fastify' {
  interface FastifyRequest {
    ownCaller: OwnCaller | undefined;
  }
}
