import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import type { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import type { SealedSecret } from '../managed-secrets/managed-secrets.repository.ts';
import type { SecretReference } from '../managed-secrets/secret-name.ts';
import { SecretVault } from '../managed-secrets/secret-vault.ts';
import { isDeepStrictEqual } from 'node:util';

/** A field of a connector or an identity provider that needs a secret. */
export interface NeededSecret<Field extends string = string> {
  /** The name of the field in storage. */
  field: Field;
  /** The path of the field in the request body. */
  path: string;
  /** The reference in the body; undefined keeps the current reference of the owner. */
  reference: SecretReference | undefined;
  /** Whether the field may have no secret. */
  optional: boolean;
}

/**
 * A secret and the field that uses it. Only the gateway reads the value of a Kubernetes Secret; the
 * enterprise manager stores the reference.
 */
export type UsedSecret<Field extends string = string> = { field: Field; path: string } & (
  { kind: 'managed'; secret: SealedSecret } | { kind: 'kubernetes'; secret: KubernetesSecretRef }
);

/** A stored reference: exactly one of the two columns has a value. */
interface StoredReference {
  field: string;
  secret_id: string | null;
  kubernetes_secret: KubernetesSecretRef | null;
}

/** A connector or an identity provider as the owner of references. */
export interface SecretOwner {
  kind: 'connector' | 'identity_provider';
  id: string;
}

const TABLES = {
  connector: { table: 'connector_secrets', owner: 'connector_id' },
  identity_provider: { table: 'identity_provider_secrets', owner: 'provider_id' },
} as const satisfies Record<SecretOwner['kind'], { table: string; owner: string }>;

/** The secrets that connectors and identity providers refer to. */
@Injectable()
export class UsedSecrets {
  constructor(
    private readonly vault: SecretVault,
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Resolves the references of a write. A field without a reference keeps the one that its owner
   * has.
   * @throws HttpError unprocessable for an unknown secret and for a namespace that gateways do not
   * read; invalid for a required field without a secret
   */
  async resolve<Field extends string>(
    needed: readonly NeededSecret<Field>[],
    owner?: SecretOwner,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<UsedSecret<Field>[]> {
    const used: UsedSecret<Field>[] = [];
    for (const { field, path, reference: given, optional } of needed) {
      const reference = given ?? (owner && (await findReference(manager, owner, field)));
      if (reference === undefined && optional) continue;
      if (reference === undefined) throw fieldError('invalid', path, 'is required');
      if ('kubernetes_secret' in reference) {
        this.requireReadable(reference.kubernetes_secret, `${path}.kubernetes_secret`);
        used.push({ field, path, kind: 'kubernetes', secret: reference.kubernetes_secret });
        continue;
      }
      const secret = await this.vault.find(reference);
      if (secret === undefined)
        throw fieldError(
          'unprocessable',
          `${path}.${'id' in reference ? 'managed_secret_id' : 'managed_secret_name'}`,
          'there is no such secret',
        );
      used.push({ field, path, kind: 'managed', secret });
    }
    return used;
  }

  /**
   * Prevents changes of secrets until the transaction ends.
   * @param requireSameVersion whether a new value since `resolve` is a conflict, because the old
   * value was checked at an endpoint
   * @throws HttpError unprocessable for a deleted secret, conflict for a new value
   */
  async lock(manager: EntityManager, used: readonly UsedSecret[], requireSameVersion: boolean): Promise<void> {
    for (const { path, kind, secret } of used) {
      if (kind === 'kubernetes') continue;
      const locked = await this.vault.lock(manager, secret.id);
      if (locked === undefined) throw fieldError('unprocessable', path, 'there is no such secret');
      if (requireSameVersion && locked.version !== secret.version)
        throw new HttpError(
          'conflict',
          'the secret was changed while the endpoint was checked; publish the connector again',
        );
    }
  }

  /** Replaces the references of an owner. @returns whether they have changed */
  async store(manager: EntityManager, { kind, id }: SecretOwner, used: readonly UsedSecret[]): Promise<boolean> {
    const { table, owner } = TABLES[kind];
    const before: StoredReference[] = await manager.query(
      `SELECT field, secret_id, kubernetes_secret FROM ${table} WHERE ${owner} = $1`,
      [id],
    );
    const after = used.map(toStored);
    const known = new Map(before.map((reference) => [reference.field, reference]));
    if (known.size === after.length && after.every((reference) => isSame(reference, known.get(reference.field))))
      return false;
    await manager.query(`DELETE FROM ${table} WHERE ${owner} = $1`, [id]);
    for (const { field, secret_id, kubernetes_secret } of after)
      await manager.query(
        `INSERT INTO ${table} (${owner}, field, secret_id, kubernetes_secret) VALUES ($1, $2, $3, $4)`,
        [id, field, secret_id, kubernetes_secret],
      );
    return true;
  }

  /**
   * Requires a namespace of the settings. Otherwise an administrator of connectors could send any
   * Secret that a gateway can read to an own server.
   */
  private requireReadable({ namespace }: KubernetesSecretRef, path: string): void {
    const { KUBERNETES_SECRETS_NAMESPACES: readable } = this.settings;
    if (readable.length === 0)
      throw fieldError(
        'unprocessable',
        path,
        'this deployment does not read Kubernetes Secrets (KUBERNETES_SECRETS_NAMESPACES is not set); store the value as a managed secret and refer to that',
      );
    if (!readable.includes(namespace))
      throw fieldError(
        'unprocessable',
        `${path}.namespace`,
        'this deployment does not read Secrets of this namespace; an operator can add it to KUBERNETES_SECRETS_NAMESPACES',
      );
  }
}

function toStored({ field, kind, secret }: UsedSecret): StoredReference {
  return kind === 'managed'
    ? { field, secret_id: secret.id, kubernetes_secret: null }
    : { field, secret_id: null, kubernetes_secret: secret };
}

const isSame = (a: StoredReference, b: StoredReference | undefined): boolean =>
  a.secret_id === b?.secret_id && isDeepStrictEqual(a.kubernetes_secret, b.kubernetes_secret);

async function findReference(
  manager: EntityManager,
  { kind, id }: SecretOwner,
  field: string,
): Promise<SecretReference | undefined> {
  const { table, owner } = TABLES[kind];
  const [stored]: StoredReference[] = await manager.query(
    `SELECT field, secret_id, kubernetes_secret FROM ${table} WHERE ${owner} = $1 AND field = $2`,
    [id, field],
  );
  if (stored?.secret_id != null) return { id: stored.secret_id };
  return stored?.kubernetes_secret == null ? undefined : { kubernetes_secret: stored.kubernetes_secret };
}
