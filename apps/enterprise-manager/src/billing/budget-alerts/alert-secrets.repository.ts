import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { BY_ITSELF } from './crossings.repository.ts';

/** A sealed secret of an alert. */
type SealedSecret = SealedValue & { id: string; alert_id: string };

/** The secrets of alerts in the database. */
@Injectable()
export class AlertSecretsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds the secret that signs from now on. */
  async insert(manager: EntityManager, secret: SealedSecret): Promise<void> {
    await manager.query(
      'INSERT INTO budget_alert_secrets (id, alert_id, key_version, wrapped_key, ciphertext) VALUES ($1, $2, $3, $4, $5)',
      [secret.id, secret.alert_id, secret.key_version, secret.wrapped_key, secret.ciphertext],
    );
  }

  /** Lets the current secret sign until a time, and removes those before it. */
  async retire(manager: EntityManager, alertId: string, until: string): Promise<void> {
    await manager.query('DELETE FROM budget_alert_secrets WHERE alert_id = $1 AND valid_until IS NOT NULL', [alertId]);
    await manager.query('UPDATE budget_alert_secrets SET valid_until = $2 WHERE alert_id = $1', [alertId, until]);
  }

  /** The sealed secrets that sign at a time, the current one first. */
  async validOf(alertId: string, now: string): Promise<SealedSecret[]> {
    return this.dataSource.query(
      `${BY_ITSELF} SELECT id, alert_id, key_version, wrapped_key, ciphertext FROM budget_alert_secrets
       WHERE alert_id = $1 AND (valid_until IS NULL OR valid_until > $2) ORDER BY valid_until DESC NULLS FIRST`,
      [alertId, now],
    );
  }

  /** Removes secrets that do not sign any more. */
  async removeEnded(now: string): Promise<void> {
    await this.dataSource.query(`${BY_ITSELF} DELETE FROM budget_alert_secrets WHERE valid_until <= $1`, [now]);
  }
}
