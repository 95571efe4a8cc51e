import { inTransaction, isUniqueViolation } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { etagOf, requireMatch } from '@gatehouse/service-kit/etag';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.ts';
import { keysetPage } from '../../database/keyset.ts';
import { comparisonKey } from '../../validation/names.ts';
import { headerProblem, type HeaderUse } from './managed-secret.ts';
import {
  type ManagedSecret,
  type ManagedSecretCreate,
  type ManagedSecretListQuery,
  type ManagedSecretPage,
  type ManagedSecretUpdate,
  toManagedSecret,
} from './managed-secrets.dto.ts';
import { ManagedSecretsRepository, type SecretUser, type StoredSecret } from './managed-secrets.repository.ts';
import { namesOfUsers } from './secret-users.ts';
import { SecretVault } from './secret-vault.ts';

const RETRIES = 5;

/**
 * Places from which a secret goes out in a header as it is; from all others in the body of a
 * request, or encoded.
 */
const HEADER_USES: Readonly<Record<string, HeaderUse>> = {
  'bearer_token.token': 'bearer',
  'header_injection.value': 'header',
};

/**
 * Managed secrets: reads without values, and the life of a secret. Every write is one transaction
 * with its audit event.
 */
@Injectable()
export class ManagedSecretsService {
  constructor(
    private readonly secrets: ManagedSecretsRepository,
    private readonly vault: SecretVault,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {}

  /** A page of secrets in the order in which they were made. */
  async list(caller: Caller, { name, ...query }: ManagedSecretListQuery): Promise<ManagedSecretPage> {
    const { rows, ...cursors } = await keysetPage<StoredSecret>(
      this.cursors,
      {
        binding: { list: 'managed-secrets', filters: { name }, caller },
        keyOf: (row) => [row.created_at, row.id],
        read: (step) => this.secrets.list(name === undefined ? undefined : comparisonKey(name), step),
      },
      query,
    );
    return { items: rows.map(toManagedSecret), ...cursors };
  }

  /** @throws HttpError not_found */
  async get(id: string): Promise<ManagedSecret> {
    return toManagedSecret((await this.secrets.find(id)) ?? noSuchSecret());
  }

  /** @throws HttpError unavailable without a key, conflict when another secret has the name */
  async create(caller: Caller, { name, value }: ManagedSecretCreate): Promise<ManagedSecret> {
    const now = this.clock.now().toISOString();
    const secret: StoredSecret = { id: uuidv7(), name, version: 1, created_at: now, updated_at: now };
    const sealed = this.vault.seal(secret, value);
    return this.write(async (manager) => {
      await this.secrets.insert(manager, { ...secret, ...sealed, name_key: comparisonKey(name) });
      await this.record(manager, caller, 'Create managed secret', secret.id, ['name', 'value']);
      return toManagedSecret(secret);
    });
  }

  /**
   * Gives a secret its next value; gateways that use it hear of the new version at once.
   * @throws HttpError not_found, precondition_failed, unprocessable for a value that a connector
   * could not send, unavailable without a key
   */
  async update(
    caller: Caller,
    id: string,
    { value }: ManagedSecretUpdate,
    ifMatch: string | undefined,
  ): Promise<ManagedSecret> {
    return this.write(async (manager) => {
      const held = await this.hold(manager, id, ifMatch);
      refuseUnsendable(value, await this.secrets.usersOf(manager, id));
      const next = { ...held, version: held.version + 1, updated_at: this.clock.now().toISOString() };
      await this.secrets.setValue(manager, next, this.vault.seal(next, value));
      await this.record(manager, caller, 'Update managed secret', id, ['value']);
      return toManagedSecret(next);
    });
  }

  /**
   * Removes a secret that nothing uses.
   * @throws HttpError not_found, precondition_failed, conflict that names the users
   */
  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.write(async (manager) => {
      await this.hold(manager, id, ifMatch);
      const users = await this.secrets.usersOf(manager, id);
      if (users.length > 0) throw new HttpError('conflict', `the secret is in use by ${namesOfUsers(users)}`);
      await this.secrets.remove(manager, id);
      await this.record(manager, caller, 'Delete managed secret', id, []);
    });
  }

  /** From here on nobody begins to use the secret, and whoever did so before is seen. */
  private async hold(manager: EntityManager, id: string, ifMatch: string | undefined): Promise<StoredSecret> {
    const held = (await this.secrets.hold(manager, id, 'write')) ?? noSuchSecret();
    requireMatch(ifMatch, etagOf(toManagedSecret(held)), 'optional');
    return held;
  }

  private async write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(this.dataSource, work, { retries: RETRIES });
    } catch (error) {
      if (isUniqueViolation(error, 'managed_secrets_name_unique'))
        throw new HttpError('conflict', 'name: another secret has this name already', { cause: error });
      throw error;
    }
  }

  private record(
    manager: EntityManager,
    caller: Caller,
    operation: string,
    id: string,
    changed: readonly string[],
  ): Promise<void> {
    return this.audit.record(manager, caller, {
      operation,
      object_kind: 'managed_secret',
      object_id: id,
      changed_fields: changed,
    });
  }
}

/**
 * What every read and write of a secret answers when there is none, or none for this caller.
 * @throws HttpError not_found
 */
export function noSuchSecret(): never {
  throw new HttpError('not_found', 'there is no such secret');
}

function refuseUnsendable(value: string, users: readonly SecretUser[]): void {
  for (const user of users) {
    const use = HEADER_USES[user.field];
    const problem = use && headerProblem(value, use);
    if (problem === undefined) continue;
    throw fieldError('unprocessable', 'value', `${problem}, and ${namesOfUsers([user])} sends it in a header`);
  }
}
