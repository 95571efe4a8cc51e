import { Clock } from '@gatehouse/service-kit/clock';
import { bearerToken } from '@gatehouse/service-kit/guard';
import type { CallerCheck, IncomingRequest, OwnCaller, SecurityScheme } from '@gatehouse/service-kit/caller-check';
import { countHeader } from '@gatehouse/service-kit/raw-headers';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { ScimIssuers } from '../http/scim-issuers.ts';
import { hashSecret, readSecret } from './scim-secret.ts';
import { canAcceptSecret, type StoredScimToken, USE_RECORD_INTERVAL_MS } from './scim-token.ts';
import { ScimTokensRepository } from './scim-tokens.repository.ts';

/** The security scheme in the OpenAPI document. */
export const SCIM_TOKEN: SecurityScheme = {
  name: 'scimToken',
  description: 'Static token of a provisioning client for one issuer, created by `POST /v1/scim-tokens`',
};

/**
 * Authenticates provisioning clients. Each request queries the database, so that a revocation takes
 * effect with the next request on every replica. An unknown issuer, an unknown token and a token of
 * another issuer get the same response.
 */
@Injectable()
export class ScimCallers implements CallerCheck {
  constructor(
    private readonly tokens: ScimTokensRepository,
    private readonly issuers: ScimIssuers,
    private readonly clock: Clock,
  ) {}

  /**
   * Identifies the client by `scim:<issuer id>` and the id of its token.
   * @throws HttpError unauthenticated
   */
  async authenticate(request: IncomingRequest): Promise<OwnCaller> {
    const { authorization } = request.headers;
    if (authorization === undefined) throw createChallenge(undefined);
    const presented = bearerToken(authorization);
    if (presented === undefined || countHeader(request.raw.rawHeaders, 'authorization') > 1)
      throw createChallenge('the request must have one Authorization header with a bearer token');
    const { issuer_id: issuerId } = request.params as { issuer_id: string };
    const token = this.issuers.find(issuerId) && (await this.findToken(presented));
    if (token?.issuer_id !== issuerId) throw createChallenge('the token is not valid here');
    await this.recordUse(token);
    return { issuer: `scim:${issuerId}`, issuerId, subject: token.id, requestId: request.id };
  }

  private async findToken(presented: string): Promise<StoredScimToken | undefined> {
    const secret = readSecret(presented);
    const found = secret && (await this.tokens.findByLookup(secret.lookup));
    return found && canAcceptSecret(found, hashSecret(secret), this.clock.now()) ? found : undefined;
  }

  private async recordUse({ id, last_used_at }: StoredScimToken): Promise<void> {
    const now = this.clock.now();
    const before = now.getTime() - USE_RECORD_INTERVAL_MS;
    if (last_used_at !== null && Date.parse(last_used_at) >= before) return;
    await this.tokens.recordUse(id, now.toISOString(), new Date(before).toISOString());
  }
}

/** RFC 6750 §3: a challenge for a request without a token has no error code. */
const createChallenge = (problem: string | undefined): HttpError =>
  new HttpError('unauthenticated', problem ?? 'this operation needs the SCIM token of its issuer', {
    headers: { 'www-authenticate': `Bearer realm="scim"${problem === undefined ? '' : ', error="invalid_token"'}` },
  });
