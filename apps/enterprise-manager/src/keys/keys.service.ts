import { hashApiKey, getApiKeyPrefix, generateApiKey } from '@gatehouse/auth/api-key';
import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { SETTINGS, type Settings } from '../config/config.ts';
import { getOwnerRef } from '@gatehouse/auth/owner-ref';
import { DirectoryEntries } from '../people/users/directory-entries.service.ts';
import { UsersService } from '../people/users/users.service.ts';
import {
  computeChange,
  computeExpiry,
  type KeyAction,
  type KeyChange,
  MAX_KEYS,
  recordIdempotencyKey,
  rotateSecrets,
} from './key.ts';
import { type KeyCreate, type KeyList, type KeyWithSecret, toVirtualKey, type VirtualKey } from './keys.dto.ts';
import { type StoredKey, type KeyOwner, KeysRepository } from './keys.repository.ts';

/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;
/** Attempts to generate an unused id (40 random bits). */
const MAX_ID_ATTEMPTS = 5;
/** Maximum number of listed keys that are not revoked; expired keys are listed beyond MAX_KEYS. */
const MAX_LISTED = 1_000;
/** Maximum number of listed revoked keys. */
const MAX_LISTED_REVOKED = 200;

interface StatusChange {
  operation: string;
  action: KeyAction;
  id: string;
}

/** The actions of owners and administrators. Each write is one transaction with its audit event. */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: KeysRepository,
    private readonly entries: DirectoryEntries,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Lists the caller's keys. @throws HttpError forbidden without an active directory entry */
  async list(caller: Caller): Promise<KeyList> {
    await this.entries.requireActive(caller);
    return this.listKeys(caller);
  }

  /**
   * Returns one key of the caller.
   * @throws HttpError forbidden, not_found (also for others' keys)
   */
  async get(caller: Caller, id: string): Promise<VirtualKey> {
    await this.entries.requireActive(caller);
    return this.toDto((await this.keys.find(caller, id)) ?? throwNotFound());
  }

  /** Creates a key for the caller. @throws HttpError forbidden, conflict at MAX_KEYS */
  create(caller: Caller, { name, metadata, ttl_seconds }: KeyCreate): Promise<KeyWithSecret> {
    return this.runAsOwner(caller, 'exclusive', async (manager, userId) => {
      const now = this.clock.now();
      if ((await this.keys.countAgainstLimit(manager, caller.issuer, caller.subject, now.toISOString())) >= MAX_KEYS) {
        throw new HttpError('conflict', `you have ${MAX_KEYS} keys, which is the limit; revoke one you do not need`);
      }
      for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt += 1) {
        const { id, text } = generateApiKey(randomBytes);
        const newKey = {
          id,
          issuer: caller.issuer,
          subject: caller.subject,
          user_id: userId,
          name: name ?? getApiKeyPrefix(id),
          metadata: metadata ?? {},
          secret_hash: hashApiKey(text),
          expires_at: computeExpiry(now, ttl_seconds),
          created_at: now.toISOString(),
          created_by: getOwnerRef(this.settings.ISSUERS, caller),
        };
        if (!(await this.keys.insert(manager, newKey))) continue;
        await this.recordAudit(manager, caller, 'Create a virtual API key', id, [
          'name',
          ...(metadata === undefined ? [] : ['metadata']),
          ...(ttl_seconds === undefined ? [] : ['expires_at']),
        ]);
        return {
          key: this.toDto((await this.keys.findForUpdate(manager, caller, id)) ?? throwNotFound()),
          secret: text,
        };
      }
      throw new Error(`${MAX_ID_ATTEMPTS} generated key ids were all in use`);
    });
  }

  /** Disables one of the caller's keys. @throws HttpError forbidden, not_found, conflict */
  disable(caller: Caller, id: string): Promise<void> {
    return this.changeOwnKey(caller, {
      operation: "Disable one of the caller's virtual API keys",
      action: 'disable',
      id,
    });
  }

  /** Enables one of the caller's keys again. @throws HttpError forbidden, not_found, conflict */
  enable(caller: Caller, id: string): Promise<void> {
    return this.changeOwnKey(caller, {
      operation: "Re-enable one of the caller's disabled virtual API keys",
      action: 'enable',
      id,
    });
  }

  /** Revokes one of the caller's keys permanently. @throws HttpError forbidden, not_found */
  revoke(caller: Caller, id: string): Promise<void> {
    return this.changeOwnKey(caller, {
      operation: "Revoke one of the caller's virtual API keys",
      action: 'revoke',
      id,
    });
  }

  /**
   * Gives one of the caller's keys a new secret; the previous one stays valid for 24 hours.
   * @param request the Idempotency-Key header
   * @throws HttpError forbidden, not_found, conflict
   */
  rotate(caller: Caller, id: string, request: string | undefined): Promise<KeyWithSecret> {
    return this.runAsOwner(caller, 'shared', async (manager) => {
      const key = (await this.keys.findForUpdate(manager, caller, id)) ?? throwNotFound();
      const now = this.clock.now();
      computeChange(key, 'rotate', now);
      const requests = recordIdempotencyKey(key.rotation_requests, request);
      const { text } = generateApiKey(randomBytes, id);
      const secrets = rotateSecrets(key, hashApiKey(text), now);
      await this.keys.updateSecrets(manager, id, secrets, requests);
      await this.recordAudit(manager, caller, "Rotate one of the caller's virtual API keys", id, ['secret']);
      return { key: this.toDto({ ...key, ...secrets }), secret: text };
    });
  }

  /** Lists the keys of a user. @throws HttpError not_found */
  async listForUser(userId: string): Promise<KeyList> {
    await this.users.get(userId);
    return this.listKeys({ user_id: userId });
  }

  /** Disables a user's key; its owner cannot enable it. @throws HttpError not_found, conflict */
  disableForUser(caller: Caller, userId: string, id: string): Promise<void> {
    return this.changeUserKey(caller, userId, {
      operation: 'Disable a virtual API key of a user',
      action: 'disable as administrator',
      id,
    });
  }

  /** Enables a key that an administrator disabled. @throws HttpError not_found, conflict */
  enableForUser(caller: Caller, userId: string, id: string): Promise<void> {
    return this.changeUserKey(caller, userId, {
      operation: 'Re-enable a virtual API key of a user',
      action: 'enable as administrator',
      id,
    });
  }

  private changeOwnKey(caller: Caller, change: StatusChange): Promise<void> {
    return this.runAsOwner(caller, 'shared', (manager) => this.applyChange(manager, caller, caller, change));
  }

  private changeUserKey(caller: Caller, userId: string, change: StatusChange): Promise<void> {
    return inTransaction(this.dataSource, (manager) => this.applyChange(manager, caller, { user_id: userId }, change), {
      retries: MAX_RETRIES,
    });
  }

  private async applyChange(
    manager: EntityManager,
    caller: Caller,
    owner: KeyOwner,
    { operation, action, id }: StatusChange,
  ) {
    const key = (await this.keys.findForUpdate(manager, owner, id)) ?? throwNotFound();
    const change: KeyChange = computeChange(key, action, this.clock.now());
    if (Object.keys(change).length === 0) return;
    await this.keys.updateStatus(manager, id, change);
    await this.recordAudit(manager, caller, operation, id, ['status']);
  }

  /** Runs a write in a transaction that locks the caller's active directory entry. */
  private async runAsOwner<T>(
    caller: Caller,
    mode: 'shared' | 'exclusive',
    work: (manager: EntityManager, userId: string) => Promise<T>,
  ): Promise<T> {
    const { id } = await this.entries.requireActive(caller);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        if (!(await this.keys.lockActiveOwner(manager, id, mode))) await this.entries.requireActive(caller);
        return work(manager, id);
      },
      { retries: MAX_RETRIES },
    );
  }

  private recordAudit(manager: EntityManager, caller: Caller, operation: string, id: string, changed_fields: string[]) {
    return this.audit.record(manager, caller, { operation, object_kind: 'virtual_key', object_id: id, changed_fields });
  }

  private async listKeys(owner: KeyOwner): Promise<KeyList> {
    const rows = await this.keys.list(owner, MAX_LISTED, MAX_LISTED_REVOKED);
    return { keys: rows.map((row) => this.toDto(row)) };
  }

  private toDto(row: StoredKey): VirtualKey {
    return toVirtualKey(row, getOwnerRef(this.settings.ISSUERS, row), this.clock.now());
  }
}

function throwNotFound(): never {
  throw new HttpError('not_found', 'there is no such key');
}
