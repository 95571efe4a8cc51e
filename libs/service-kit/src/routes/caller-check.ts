import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * A caller that the service itself recognises, by a credential other than an access token.
 */
export interface OwnCaller {
  /**
   * With `subject`, the name of the caller in the audit trail and in the log. No issuer of tokens
   * has this name.
   */
  issuer: string;
  issuerId: string;
  subject: string;
  requestId: string;
}

/** A request before its body is read, as the HTTP server hands it over. */
export type IncomingRequest = FastifyRequest;

/** An injectable class that recognises such callers. It works before the body is read. */
export interface CallerCheck {
  /** @throws HttpError unauthenticated with the header `www-authenticate` (RFC 9110 §11.6.1) */
  recognise(request: IncomingRequest): Promise<OwnCaller>;
}

/** The credential in the OpenAPI document. */
export interface SecurityScheme {
  /** Key among the document's security schemes. */
  name: string;
  description: string;
}

/** The check of a route with callers of its own, and its credential. */
export interface OwnAccess {
  check: Type<CallerCheck>;
  scheme: SecurityScheme;
}

declare module 'fastify' {
  interface FastifyRequest {
    ownCaller: OwnCaller | undefined;
  }
}
