import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import type { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import type { SealedSecret } from '../managed-secrets/managed-secrets.repository.ts';
import type { SecretReference } from '../managed-secrets/secret-name.ts';
import { SecretVault } from '../managed-secrets/secret-vault.ts';
import { isDeepStrictEqual } from 'node:util';

/** A secret that something needs. */
export interface NeededSecret<Field extends string = string> {
  /** The place under which its owner keeps it. */
  field: Field;
  /** The same place as the writer of the body sees it. */
  path: string;
  /** Undefined where a write leaves it out: the one that the owner has stays. */
  name: SecretReference | undefined;
  /** Whether there may be none. */
  optional: boolean;
}

/**
 * A secret and the place where it is used. The value of a Secret of a cluster is the gateway's to
 * read, and never here.
 */
export type UsedSecret<Field extends string = string> = { field: Field; path: string } & (
  { kind: 'managed'; secret: SealedSecret } | { kind: 'kubernetes'; secret: KubernetesSecretRef }
);

/** A use as it is stored: one of the two. */
interface StoredUse {
  field: string;
  secret_id: string | null;
  kubernetes_secret: KubernetesSecretRef | null;
}

/** What uses secrets. */
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
   * The secrets that a write means: those that it names, else those that the owner has in their
   * places.
   * @throws HttpError unprocessable for an unknown one and for one of a cluster that gateways do
   * not read, invalid where there is none to stay
   */
  async resolve<Field extends string>(
    needed: readonly NeededSecret<Field>[],
    owner?: SecretOwner,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<UsedSecret<Field>[]> {
    const used: UsedSecret<Field>[] = [];
    for (const { field, path, name, optional } of needed) {
      const meant = name ?? (owner === undefined ? undefined : await usedReference(manager, owner, field));
      if (meant === undefined && optional) continue;
      if (meant === undefined) throw fieldError('invalid', path, 'is required');
      if ('kubernetes_secret' in meant) {
        this.requireReadable(meant.kubernetes_secret, `${path}.kubernetes_secret`);
        used.push({ field, path, kind: 'kubernetes', secret: meant.kubernetes_secret });
        continue;
      }
      const secret = await this.vault.find(meant);
      if (secret === undefined)
        throw fieldError(
          'unprocessable',
          `${path}.${'id' in meant ? 'managed_secret_id' : 'managed_secret_name'}`,
          'there is no such secret',
        );
      used.push({ field, path, kind: 'managed', secret });
    }
    return used;
  }

  /**
   * Keeps secrets as they are until the transaction ends.
   * @param checked whether their values were tried meanwhile, so that others would make the outcome
   * worthless
   * @throws HttpError unprocessable when one is gone, conflict when one has another value now
   */
  async hold(manager: EntityManager, used: readonly UsedSecret[], checked: boolean): Promise<void> {
    for (const { path, kind, secret } of used) {
      if (kind === 'kubernetes') continue;
      const held = await this.vault.hold(manager, secret.id);
      if (held === undefined) throw fieldError('unprocessable', path, 'there is no such secret');
      if (checked && held.version !== secret.version)
        throw new HttpError('conflict', 'the secret was changed while the endpoint was checked; publish again');
    }
  }

  /** Writes down what the owner uses, and nothing else. @returns whether that is a change */
  async store(manager: EntityManager, { kind, id }: SecretOwner, used: readonly UsedSecret[]): Promise<boolean> {
    const { table, owner } = TABLES[kind];
    const before: StoredUse[] = await manager.query(
      `SELECT field, secret_id, kubernetes_secret FROM ${table} WHERE ${owner} = $1`,
      [id],
    );
    const after = used.map(toStored);
    const known = new Map(before.map((use) => [use.field, use]));
    if (known.size === after.length && after.every((use) => isSame(use, known.get(use.field)))) return false;
    await manager.query(`DELETE FROM ${table} WHERE ${owner} = $1`, [id]);
    for (const { field, secret_id, kubernetes_secret } of after)
      await manager.query(
        `INSERT INTO ${table} (${owner}, field, secret_id, kubernetes_secret) VALUES ($1, $2, $3, $4)`,
        [id, field, secret_id, kubernetes_secret],
      );
    return true;
  }

  /**
   * Otherwise whoever administers connectors could send any Secret that a gateway can read to a
   * server of their own.
   */
  private requireReadable({ namespace }: KubernetesSecretRef, path: string): void {
    const { KUBERNETES_SECRETS_NAMESPACES: readable } = this.settings;
    if (readable.length === 0)
      throw fieldError(
        'unprocessable',
        path,
        'Secrets of a cluster are not read in this deployment (KUBERNETES_SECRETS_NAMESPACES is not set); keep the value as a managed secret and name that',
      );
    if (!readable.includes(namespace))
      throw fieldError(
        'unprocessable',
        `${path}.namespace`,
        'Secrets of this namespace are not read in this deployment (KUBERNETES_SECRETS_NAMESPACES does not name it)',
      );
  }
}

function toStored({ field, kind, secret }: UsedSecret): StoredUse {
  return kind === 'managed'
    ? { field, secret_id: secret.id, kubernetes_secret: null }
    : { field, secret_id: null, kubernetes_secret: secret };
}

const isSame = (a: StoredUse, b: StoredUse | undefined): boolean =>
  a.secret_id === b?.secret_id && isDeepStrictEqual(a.kubernetes_secret, b.kubernetes_secret);

async function usedReference(
  manager: EntityManager,
  { kind, id }: SecretOwner,
  field: string,
): Promise<SecretReference | undefined> {
  const { table, owner } = TABLES[kind];
  const [use]: StoredUse[] = await manager.query(
    `SELECT field, secret_id, kubernetes_secret FROM ${table} WHERE ${owner} = $1 AND field = $2`,
    [id, field],
  );
  if (use?.secret_id != null) return { id: use.secret_id };
  return use?.kubernetes_secret == null ? undefined : { kubernetes_secret: use.kubernetes_secret };
}
