import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';
import { listByCreation } from '../../database/creation-order.ts';
import { toComparisonKey } from '../../validation/names.ts';
import { findHeaderProblem, type HeaderUse } from './managed-secret.ts';
import {
  type ManagedSecret,
  type ManagedSecretCreate,
  type ManagedSecretListQuery,
  type ManagedSecretPage,
  type ManagedSecretUpdate,
  toManagedSecret,
} from './managed-secrets.dto.ts';
import { ManagedSecretsRepository, type SecretReference, type StoredSecret } from './managed-secrets.repository.ts';
import { formatReferences } from './secret-references.ts';
import { SecretVault } from './secret-vault.ts';

/**
 * The fields whose secret is sent unchanged in a header. Secrets of other fields are sent in a
 * body, or encoded.
 */
const HEADER_USES: Readonly<Record<string, HeaderUse>> = {
  'bearer_token.token': 'bearer',
  'header_injection.value': 'header',
};

/** Reads and writes of managed secrets. A write is one transaction with its audit event. */
@Injectable()
export class ManagedSecretsService {
  private readonly write: AuditedWrite;

  constructor(
    private readonly secrets: ManagedSecretsRepository,
    private readonly vault: SecretVault,
    audit: AuditService,
    dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {
    this.write = createAuditedWrite(
      { dataSource, audit },
      {
        kind: 'managed_secret',
        unique: { managed_secrets_name_unique: 'name: another secret has this name already' },
      },
    );
  }

  /** Lists secrets in the order of their creation. */
  async list(caller: Caller, { name, ...query }: ManagedSecretListQuery): Promise<ManagedSecretPage> {
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'managed-secrets', filters: { name }, caller },
        read: (step) => this.secrets.list(name === undefined ? undefined : toComparisonKey(name), step),
        toItem: toManagedSecret,
      },
      query,
    );
  }

  /** @throws HttpError not_found */
  async get(id: string): Promise<ManagedSecret> {
    return toManagedSecret((await this.secrets.find(id)) ?? throwSecretNotFound());
  }

  /** @throws HttpError conflict when another secret has the name; MissingKeyError without a key */
  async create(caller: Caller, { name, value }: ManagedSecretCreate): Promise<ManagedSecret> {
    const now = this.clock.now().toISOString();
    const secret: StoredSecret = { id: uuidv7(), name, version: 1, created_at: now, updated_at: now };
    const sealed = this.vault.seal(secret, value);
    return this.write(caller, 'Create managed secret', async (manager, recordChange) => {
      await this.secrets.insert(manager, { ...secret, ...sealed, name_key: toComparisonKey(name) });
      await recordChange(secret.id, ['name', 'value']);
      return toManagedSecret(secret);
    });
  }

  /**
   * Stores a new value of a secret. Gateways that use it are notified of the new version.
   * @throws HttpError not_found, precondition_failed, unprocessable for a value that a connector
   * cannot send; MissingKeyError without a key
   */
  async update(
    caller: Caller,
    id: string,
    { value }: ManagedSecretUpdate,
    ifMatch: string | undefined,
  ): Promise<ManagedSecret> {
    return this.write(caller, 'Update managed secret', async (manager, recordChange) => {
      const secret = await this.lock(manager, id, ifMatch);
      requireSendable(value, await this.secrets.listUsers(manager, id));
      const next = { ...secret, version: secret.version + 1, updated_at: this.clock.now().toISOString() };
      await this.secrets.setValue(manager, next, this.vault.seal(next, value));
      await recordChange(id, ['value']);
      return toManagedSecret(next);
    });
  }

  /**
   * Deletes a secret without users.
   * @throws HttpError not_found, precondition_failed, conflict with the names of the users
   */
  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.write(caller, 'Delete managed secret', async (manager, recordChange) => {
      await this.lock(manager, id, ifMatch);
      const users = await this.secrets.listUsers(manager, id);
      if (users.length > 0)
        throw new HttpError(
          'conflict',
          `the secret is in use by ${formatReferences(users)}; remove these references first`,
        );
      await this.secrets.delete(manager, id);
      await recordChange(id, []);
    });
  }

  /**
   * Locks a secret against new users and checks the ETag. Earlier users are visible from here on.
   */
  private async lock(manager: EntityManager, id: string, ifMatch: string | undefined): Promise<StoredSecret> {
    const secret = (await this.secrets.findAndLock(manager, id, 'update')) ?? throwSecretNotFound();
    requireMatch(ifMatch, computeETag(toManagedSecret(secret)), 'optional');
    return secret;
  }
}

/** Reports a secret that does not exist or is not for this caller. @throws HttpError not_found */
export function throwSecretNotFound(): never {
  throw new HttpError('not_found', 'there is no such secret');
}

/**
 * @throws HttpError unprocessable when a user sends the value in a header that cannot contain it
 */
function requireSendable(value: string, users: readonly SecretReference[]): void {
  for (const user of users) {
    const use = HEADER_USES[user.field];
    const problem = use && findHeaderProblem(value, use);
    if (problem === undefined) continue;
    throw fieldError('unprocessable', 'value', `${problem}, and ${formatReferences([user])} sends it in a header`);
  }
}
