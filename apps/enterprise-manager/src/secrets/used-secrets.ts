import { Refusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { refusal } from '../connectors/connector-rules.ts';
import type { SealedSecret } from './managed-secrets.repository.ts';
import type { SecretName } from './secret-name.ts';
import { SecretVault } from './secret-vault.ts';

/** A secret that something needs. */
export interface NeededSecret<Field extends string = string> {
  /** The place under which its owner keeps it. */
  field: Field;
  /** The same place as the writer of the body sees it. */
  path: string;
  /** Undefined where a write leaves it out: the one that the owner has stays. */
  name: SecretName | undefined;
  /** Whether there may be none. */
  optional: boolean;
}

/** A secret and the place where it is used. */
export interface UsedSecret<Field extends string = string> {
  field: Field;
  path: string;
  secret: SealedSecret;
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
  ) {}

  /**
   * The secrets that a write means: those that it names, else those that the owner has in their places.
   * @throws Refusal unprocessable for an unknown one, invalid where there is none to stay
   */
  async resolve<Field extends string>(
    needed: readonly NeededSecret<Field>[],
    owner?: SecretOwner,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<UsedSecret<Field>[]> {
    const used: UsedSecret<Field>[] = [];
    for (const { field, path, name, optional } of needed) {
      const meant = name ?? (owner === undefined ? undefined : await usedId(manager, owner, field));
      if (meant === undefined && optional) continue;
      if (meant === undefined) throw refusal('invalid', path, 'is required');
      const secret = await this.vault.find(meant);
      if (secret === undefined)
        throw refusal(
          'unprocessable',
          `${path}.${'id' in meant ? 'managed_secret_id' : 'managed_secret_name'}`,
          'there is no such secret',
        );
      used.push({ field, path, secret });
    }
    return used;
  }

  /**
   * Keeps secrets as they are until the transaction ends.
   * @param checked whether their values were tried meanwhile, so that others would make the outcome worthless
   * @throws Refusal unprocessable when one is gone, conflict when one has another value now
   */
  async hold(manager: EntityManager, used: readonly UsedSecret[], checked: boolean): Promise<void> {
    for (const { path, secret } of used) {
      const held = await this.vault.hold(manager, secret.id);
      if (held === undefined) throw refusal('unprocessable', path, 'there is no such secret');
      if (checked && held.version !== secret.version)
        throw new Refusal('conflict', 'the secret was changed while the endpoint was checked; publish again');
    }
  }

  /** Writes down what the owner uses, and nothing else. @returns whether that is a change */
  async store(manager: EntityManager, { kind, id }: SecretOwner, used: readonly UsedSecret[]): Promise<boolean> {
    const { table, owner } = TABLES[kind];
    const before: { field: string; secret_id: string }[] = await manager.query(
      `SELECT field, secret_id FROM ${table} WHERE ${owner} = $1`,
      [id],
    );
    const known = new Map(before.map(({ field, secret_id }) => [field, secret_id]));
    if (known.size === used.length && used.every(({ field, secret }) => known.get(field) === secret.id)) return false;
    await manager.query(`DELETE FROM ${table} WHERE ${owner} = $1`, [id]);
    for (const { field, secret } of used)
      await manager.query(`INSERT INTO ${table} (${owner}, field, secret_id) VALUES ($1, $2, $3)`, [
        id,
        field,
        secret.id,
      ]);
    return true;
  }
}

async function usedId(
  manager: EntityManager,
  { kind, id }: SecretOwner,
  field: string,
): Promise<{ id: string } | undefined> {
  const { table, owner } = TABLES[kind];
  const [row]: { id: string }[] = await manager.query(
    `SELECT secret_id AS id FROM ${table} WHERE ${owner} = $1 AND field = $2`,
    [id, field],
  );
  return row;
}
