import { getTokenBindingKey } from '@gatehouse/auth/binding-claim';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { requireMatch } from '@gatehouse/service-kit/etag';
import { noActiveEntry } from '@gatehouse/service-kit/people-rule';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite, type RecordChange } from '@gatehouse/audit/audited-write';
import { listByCreation } from '../../database/creation-order.ts';
import { ScimIssuers } from '../http/scim-issuers.ts';
import { generateLookup, generateSecret, hashSecret } from './scim-secret.ts';
import { requireRotatable, rotateSecret, type StoredScimToken } from './scim-token.ts';
import {
  type ScimToken,
  type ScimTokenCreate,
  type ScimTokenListQuery,
  type ScimTokenPage,
  type ScimTokenWithSecret,
  toScimToken,
} from './scim-tokens.dto.ts';
import { type ScimTokenHolder, ScimTokensRepository } from './scim-tokens.repository.ts';

/** A token DTO with its ETag. */
export interface TaggedToken<T> {
  token: T;
  etag: string;
}

/** Reads and writes SCIM tokens. Each write is one transaction with its audit event. */
@Injectable()
export class ScimTokensService {
  private readonly write: AuditedWrite;

  constructor(
    private readonly tokens: ScimTokensRepository,
    private readonly issuers: ScimIssuers,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    audit: AuditService,
    dataSource: DataSource,
  ) {
    this.write = createAuditedWrite({ dataSource, audit }, { kind: 'scim_token' });
  }

  /** Lists tokens in the order of their creation. */
  list(caller: Caller, { cursor, before, limit, ...filter }: ScimTokenListQuery): Promise<ScimTokenPage> {
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'scim-tokens', filters: filter, caller },
        read: (step) => this.tokens.list(filter, step),
        toItem: (row) => this.toDto(row),
      },
      { cursor, before, limit },
    );
  }

  /** Returns a token. @throws HttpError not_found */
  async get(id: string): Promise<TaggedToken<ScimToken>> {
    const row = (await this.tokens.find(id)) ?? throwNoSuchToken();
    return { token: this.toDto(row), etag: createETag(row) };
  }

  /**
   * Creates a token.
   * @throws HttpError unprocessable for an unknown issuer and for a time in the past
   */
  async create(
    caller: Caller,
    { issuer_id, name, expires_at }: ScimTokenCreate,
  ): Promise<TaggedToken<ScimTokenWithSecret>> {
    if (!this.issuers.find(issuer_id)) {
      throw new HttpError('unprocessable', 'issuer_id: no issuer with this id is configured');
    }
    const now = this.clock.now();
    if (expires_at !== undefined && Date.parse(expires_at) <= now.getTime()) {
      throw new HttpError('unprocessable', 'expires_at: must be in the future');
    }
    const secret = generateSecret(generateLookup(randomBytes), randomBytes);
    const row: StoredScimToken = {
      id: uuidv7(),
      issuer_id,
      name,
      lookup: secret.lookup,
      secret_hash: hashSecret(secret),
      previous_hash: null,
      previous_valid_until: null,
      expires_at: expires_at === undefined ? null : new Date(expires_at).toISOString(),
      revoked_at: null,
      last_used_at: null,
      version: 1,
      created_by_issuer: caller.issuer,
      created_by_subject: caller.subject,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    };
    await this.write(caller, 'Create SCIM token', async (manager, recordChange) => {
      await this.requireActive(manager, caller);
      await this.tokens.insert(manager, row);
      await this.tokens.addHolder(manager, row.id, this.getHolder(caller));
      const fields = ['issuer_id', 'name', ...(expires_at === undefined ? [] : ['expires_at'])];
      await recordChange(row.id, fields);
    });
    return { token: { ...this.toDto(row), secret: secret.text }, etag: createETag(row) };
  }

  /**
   * Gives a token a new secret. The previous one stays valid for `graceSeconds`.
   * @throws HttpError not_found, precondition_failed, conflict
   */
  rotate(
    caller: Caller,
    id: string,
    graceSeconds: number,
    ifMatch: string | undefined,
  ): Promise<TaggedToken<ScimTokenWithSecret>> {
    return this.change(caller, 'Rotate SCIM token', id, ifMatch, async (manager, found, recordChange) => {
      await this.requireActive(manager, caller);
      const now = this.clock.now();
      requireRotatable(found, now);
      const secret = generateSecret(found.lookup, randomBytes);
      const row = rotateSecret(found, hashSecret(secret), graceSeconds, now);
      await this.tokens.update(manager, row);
      await this.tokens.addHolder(manager, id, this.getHolder(caller));
      await recordChange(id, ['secret']);
      return { token: { ...this.toDto(row), secret: secret.text }, etag: createETag(row) };
    });
  }

  /**
   * Revokes a token permanently. Revoking a revoked token changes nothing.
   * @throws HttpError not_found, precondition_failed
   */
  revoke(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    return this.change(caller, 'Revoke SCIM token', id, ifMatch, async (manager, found, recordChange) => {
      if (found.revoked_at !== null) return;
      const now = this.clock.now().toISOString();
      await this.tokens.update(manager, { ...found, revoked_at: now, updated_at: now, version: found.version + 1 });
      await recordChange(id, ['revoked_at']);
    });
  }

  private change<T>(
    caller: Caller,
    operation: string,
    id: string,
    ifMatch: string | undefined,
    work: (manager: EntityManager, found: StoredScimToken, recordChange: RecordChange) => Promise<T>,
  ): Promise<T> {
    return this.write(caller, operation, async (manager, recordChange) => {
      const found = (await this.tokens.lock(manager, id)) ?? throwNoSuchToken();
      requireMatch(ifMatch, createETag(found), 'optional');
      return work(manager, found, recordChange);
    });
  }

  /**
   * Checks the caller again in the transaction: a deactivation may have committed after the guard's
   * check.
   * @throws HttpError forbidden
   */
  private async requireActive(manager: EntityManager, caller: Caller): Promise<void> {
    if (await this.tokens.isInactive(manager, this.getHolder(caller))) throw noActiveEntry();
  }

  private getHolder({ issuer, issuerId, subject, claims }: Caller): ScimTokenHolder {
    return { issuer, subject, binding_key: getTokenBindingKey(this.issuers.getIssuer({ issuerId }).binding, claims) };
  }

  private toDto(row: StoredScimToken): ScimToken {
    return toScimToken(row, this.issuers.getBaseUrl(row.issuer_id), this.clock.now());
  }
}

/** The ETag follows changes by administrators only; a use of the token keeps it. */
const createETag = ({ id, version }: StoredScimToken): string => `"${id}.${version}"`;

const throwNoSuchToken = (): never => {
  throw new HttpError('not_found', 'there is no such SCIM token');
};
