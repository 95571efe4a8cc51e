import { Clock } from '@gatehouse/service-kit/clock';
import { bearerToken } from '@gatehouse/service-kit/guard';
import type { CallerCheck, IncomingRequest, OwnCaller, SecurityScheme } from '@gatehouse/service-kit/caller-check';
import { timesGiven } from '@gatehouse/service-kit/raw-headers';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { ScimIssuers } from '../http/scim-issuers.ts';
import { hashOf, readSecret } from './scim-secret.ts';
import { opens, type StoredScimToken, USE_NOTED_EVERY_MS } from './scim-token.ts';
import { ScimTokensRepository } from './scim-tokens.repository.ts';

/** How the reference calls the credential. */
export const SCIM_TOKEN: SecurityScheme = {
  name: 'scimToken',
  description: 'Static token of a provisioning client, made by `POST /v1/scim-tokens` for one issuer',
};

/**
 * Recognises provisioning clients. Every request asks the database, so a revocation acts with the
 * next one on every replica. An issuer that is not configured, a token of another issuer and an
 * unknown token answer alike.
 */
@Injectable()
export class ScimCallers implements CallerCheck {
  constructor(
    private readonly tokens: ScimTokensRepository,
    private readonly issuers: ScimIssuers,
    private readonly clock: Clock,
  ) {}

  /**
   * The client, named `scim:<issuer id>` and the id of its token.
   * @throws HttpError unauthenticated
   */
  async recognise(request: IncomingRequest): Promise<OwnCaller> {
    const { authorization } = request.headers;
    if (authorization === undefined) throw challenge(undefined);
    const presented = bearerToken(authorization);
    if (presented === undefined || timesGiven(request.raw.rawHeaders, 'authorization') > 1)
      throw challenge('the request must have one Authorization header with a bearer token');
    const { issuer_id: issuerId } = request.params as { issuer_id: string };
    const token = this.issuers.find(issuerId) && (await this.tokenOf(presented));
    if (token?.issuer_id !== issuerId) throw challenge('the token is not valid here');
    await this.noteUse(token);
    return { issuer: `scim:${issuerId}`, issuerId, subject: token.id, requestId: request.id };
  }

  private async tokenOf(presented: string): Promise<StoredScimToken | undefined> {
    const secret = readSecret(presented);
    const found = secret && (await this.tokens.findByLookup(secret.lookup));
    return found && opens(found, hashOf(secret), this.clock.now()) ? found : undefined;
  }

  private async noteUse({ id, last_used_at }: StoredScimToken): Promise<void> {
    const now = this.clock.now();
    const before = now.getTime() - USE_NOTED_EVERY_MS;
    if (last_used_at !== null && Date.parse(last_used_at) >= before) return;
    await this.tokens.noteUse(id, now.toISOString(), new Date(before).toISOString());
  }
}

/** RFC 6750 §3: without any token there is no error to name. */
const challenge = (problem: string | undefined): HttpError =>
  new HttpError('unauthenticated', problem ?? 'this operation needs the SCIM token of its issuer', {
    headers: { 'www-authenticate': `Bearer realm="scim"${problem === undefined ? '' : ', error="invalid_token"'}` },
  });
