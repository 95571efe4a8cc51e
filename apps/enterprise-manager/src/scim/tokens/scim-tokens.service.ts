import { bindingKeyOfToken } from '@gatehouse/auth/binding-claim';
import { inTransaction } from '@gatehouse/database/transaction';
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
import { AuditService } from '../../audit/audit.service.ts';
import { listByCreation } from '../../database/creation-order.ts';
import { ScimIssuers } from '../http/scim-issuers.ts';
import { hashOf, newLookup, newSecret } from './scim-secret.ts';
import { requireRotatable, rotated, type StoredScimToken } from './scim-token.ts';
import {
  type ScimToken,
  type ScimTokenCreate,
  type ScimTokenListQuery,
  type ScimTokenPage,
  type ScimTokenWithSecret,
  toScimToken,
} from './scim-tokens.dto.ts';
import { type ScimTokenHolder, ScimTokensRepository } from './scim-tokens.repository.ts';

/** A token as it is answered, with its ETag. */
export interface Tagged<T> {
  token: T;
  etag: string;
}

/**
 * SCIM tokens: reads, and the life of a token. Every write is one transaction with its audit event.
 */
@Injectable()
export class ScimTokensService {
  constructor(
    private readonly tokens: ScimTokensRepository,
    private readonly issuers: ScimIssuers,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {}

  /** A page of tokens in the order in which they were made. */
  list(caller: Caller, { cursor, before, limit, ...filter }: ScimTokenListQuery): Promise<ScimTokenPage> {
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'scim-tokens', filters: filter, caller },
        read: (step) => this.tokens.list(filter, step),
        toItem: (row) => this.shown(row),
      },
      { cursor, before, limit },
    );
  }

  /** @throws HttpError not_found */
  async get(id: string): Promise<Tagged<ScimToken>> {
    const row = (await this.tokens.find(id)) ?? noSuchToken();
    return { token: this.shown(row), etag: etagOf(row) };
  }

  /**
   * @throws HttpError unprocessable for an issuer that is not configured and for a time that has
   * passed
   */
  async create(caller: Caller, { issuer_id, name, expires_at }: ScimTokenCreate): Promise<Tagged<ScimTokenWithSecret>> {
    if (!this.issuers.find(issuer_id)) {
      throw new HttpError('unprocessable', 'issuer_id: no issuer with this id is configured');
    }
    const now = this.clock.now();
    if (expires_at !== undefined && Date.parse(expires_at) <= now.getTime()) {
      throw new HttpError('unprocessable', 'expires_at: must be in the future');
    }
    const secret = newSecret(newLookup(randomBytes), randomBytes);
    const row: StoredScimToken = {
      id: uuidv7(),
      issuer_id,
      name,
      lookup: secret.lookup,
      secret_hash: hashOf(secret),
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
    await inTransaction(this.dataSource, async (manager) => {
      await this.requireActive(manager, caller);
      await this.tokens.insert(manager, row);
      await this.tokens.addHolder(manager, row.id, this.holderOf(caller));
      const fields = ['issuer_id', 'name', ...(expires_at === undefined ? [] : ['expires_at'])];
      await this.record(manager, caller, 'Create SCIM token', row.id, fields);
    });
    return { token: { ...this.shown(row), secret: secret.text }, etag: etagOf(row) };
  }

  /**
   * Gives a token a new secret; the old one works for `graceSeconds` more.
   * @throws HttpError not_found, precondition_failed, conflict
   */
  rotate(
    caller: Caller,
    id: string,
    graceSeconds: number,
    ifMatch: string | undefined,
  ): Promise<Tagged<ScimTokenWithSecret>> {
    return this.change(id, ifMatch, async (manager, found) => {
      await this.requireActive(manager, caller);
      const now = this.clock.now();
      requireRotatable(found, now);
      const secret = newSecret(found.lookup, randomBytes);
      const row = rotated(found, hashOf(secret), graceSeconds, now);
      await this.tokens.update(manager, row);
      await this.tokens.addHolder(manager, id, this.holderOf(caller));
      await this.record(manager, caller, 'Rotate SCIM token', id, ['secret']);
      return { token: { ...this.shown(row), secret: secret.text }, etag: etagOf(row) };
    });
  }

  /**
   * Ends a token at once; one that is revoked already stays so.
   * @throws HttpError not_found, precondition_failed
   */
  revoke(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    return this.change(id, ifMatch, async (manager, found) => {
      if (found.revoked_at !== null) return;
      const now = this.clock.now().toISOString();
      await this.tokens.update(manager, { ...found, revoked_at: now, updated_at: now, version: found.version + 1 });
      await this.record(manager, caller, 'Revoke SCIM token', id, ['revoked_at']);
    });
  }

  private change<T>(
    id: string,
    ifMatch: string | undefined,
    work: (manager: EntityManager, found: StoredScimToken) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.dataSource, async (manager) => {
      const found = (await this.tokens.lock(manager, id)) ?? noSuchToken();
      requireMatch(ifMatch, etagOf(found), 'optional');
      return work(manager, found);
    });
  }

  /**
   * The guard has asked before the transaction began. A deactivation that has committed since then
   * must count too.
   * @throws HttpError forbidden
   */
  private async requireActive(manager: EntityManager, caller: Caller): Promise<void> {
    if (await this.tokens.isInactive(manager, this.holderOf(caller))) throw noActiveEntry();
  }

  private holderOf({ issuer, issuerId, subject, claims }: Caller): ScimTokenHolder {
    return { issuer, subject, binding_key: bindingKeyOfToken(this.issuers.of({ issuerId }).binding, claims) };
  }

  private record(manager: EntityManager, caller: Caller, operation: string, id: string, fields: string[]) {
    const change = { operation, object_kind: 'scim_token', object_id: id, changed_fields: fields };
    return this.audit.record(manager, caller, change);
  }

  private shown(row: StoredScimToken): ScimToken {
    return toScimToken(row, this.issuers.baseUrl(row.issuer_id), this.clock.now());
  }
}

/** Changes of an administrator alone: a use of the token does not make an ETag stale. */
const etagOf = ({ id, version }: StoredScimToken): string => `"${id}.${version}"`;

const noSuchToken = (): never => {
  throw new HttpError('not_found', 'there is no such SCIM token');
};
