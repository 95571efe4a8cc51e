import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * A caller whom the service itself recognises, by something else than an access token of an issuer.
 */
export interface OwnCaller {
  /**
   * Together with `subject` what the audit trail and the log call them; no issuer of tokens has
   * this name.
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

/** How the OpenAPI document calls the credential. */
export interface SecurityScheme {
  /** Key among the document's security schemes. */
  name: string;
  description: string;
}

/** A way of being recognised, as the facts of a route hold it. */
export interface OwnAccess {
  check: Type<CallerCheck>;
  scheme: SecurityScheme;
}

declare module 'fastify' {
  interface FastifyRequest {
    ownCaller: OwnCaller | undefined;
  }
}
