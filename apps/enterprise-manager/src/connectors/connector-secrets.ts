import { Refusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { headerProblem } from '../secrets/managed-secret.ts';
import type { SealedSecret } from '../secrets/managed-secrets.repository.ts';
import { SecretVault } from '../secrets/secret-vault.ts';
import { credentialOf, type NeededSecret, refusal, type SecretField } from './connector-rules.ts';
import type { Credential } from './endpoint-check.ts';
import type { HeldAuth } from './held-auth.ts';

/** A secret and the place in `auth` where a connector uses it. */
export interface UsedSecret {
  field: SecretField;
  secret: SealedSecret;
}

/** The secrets that connectors use. */
@Injectable()
export class ConnectorSecrets {
  constructor(
    private readonly vault: SecretVault,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * The secret that a write means: the one that it names, else the one that the connector has in that place.
   * @throws Refusal unprocessable for an unknown one, invalid where there is none to stay
   */
  async resolve(
    needed: NeededSecret | undefined,
    connectorId?: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<UsedSecret | undefined> {
    if (needed === undefined) return undefined;
    const { field, name } = needed;
    const meant = name ?? (connectorId === undefined ? undefined : await this.usedId(manager, connectorId, field));
    if (meant === undefined) throw refusal('invalid', `auth.${field}`, 'is required');
    const secret = await this.vault.find(meant);
    if (secret === undefined)
      throw refusal(
        'unprocessable',
        `auth.${field}.${'id' in meant ? 'managed_secret_id' : 'managed_secret_name'}`,
        'there is no such secret',
      );
    return { field, secret };
  }

  /**
   * What goes along with each request to the upstream.
   * @throws Refusal unprocessable for a value that no header can carry, unavailable when the secret cannot be opened
   */
  async credential(auth: HeldAuth, used: UsedSecret | undefined): Promise<Credential | undefined> {
    if (used === undefined) return undefined;
    const value = await this.vault.open(used.secret);
    const { use, ...header } = credentialOf(auth, value);
    const problem = headerProblem(value, use);
    if (problem !== undefined)
      throw refusal('unprocessable', `auth.${used.field}`, `the value of the secret ${problem}`);
    return header;
  }

  /**
   * Keeps a secret as it is until the transaction ends.
   * @param checked whether its value was tried meanwhile, so that another one would make the outcome worthless
   * @throws Refusal unprocessable when it is gone, conflict when it has another value now
   */
  async hold(manager: EntityManager, used: UsedSecret | undefined, checked: boolean): Promise<void> {
    if (used === undefined) return;
    const held = await this.vault.hold(manager, used.secret.id);
    if (held === undefined) throw refusal('unprocessable', `auth.${used.field}`, 'there is no such secret');
    if (checked && held.version !== used.secret.version)
      throw new Refusal('conflict', 'the secret was changed while the endpoint was checked; publish again');
  }

  /** Writes down what a connector uses, and nothing else. @returns whether that is a change */
  async store(manager: EntityManager, connectorId: string, used: UsedSecret | undefined): Promise<boolean> {
    const before: { field: string; secret_id: string }[] = await manager.query(
      'SELECT field, secret_id FROM connector_secrets WHERE connector_id = $1',
      [connectorId],
    );
    const [only] = before;
    if (before.length < 2 && only?.field === used?.field && only?.secret_id === used?.secret.id) return false;
    await manager.query('DELETE FROM connector_secrets WHERE connector_id = $1', [connectorId]);
    if (used !== undefined)
      await manager.query('INSERT INTO connector_secrets (connector_id, field, secret_id) VALUES ($1, $2, $3)', [
        connectorId,
        used.field,
        used.secret.id,
      ]);
    return true;
  }

  private async usedId(
    manager: EntityManager,
    connectorId: string,
    field: SecretField,
  ): Promise<{ id: string } | undefined> {
    const [row]: { id: string }[] = await manager.query(
      'SELECT secret_id AS id FROM connector_secrets WHERE connector_id = $1 AND field = $2',
      [connectorId, field],
    );
    return row;
  }
}
