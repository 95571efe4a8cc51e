import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { AlertSecretsRepository } from './alert-secrets.repository.ts';

/** The time for which a previous secret stays valid after a rotation. */
export const ROTATION_GRACE_MS = 24 * 60 * 60 * 1_000;

const SECRET_BYTES = 32;

const getContext = (id: unknown, alertId: unknown): string => `budget_alert_secret:${String(id)}:${String(alertId)}`;

/**
 * The signing secrets of alerts. They are stored sealed; a response contains a secret only at its
 * creation and rotation.
 */
@Injectable()
export class AlertSecrets {
  constructor(
    private readonly repository: AlertSecretsRepository,
    private readonly cipher: EnvelopeCipher,
    tables: SealedTables,
  ) {
    tables.register({
      table: 'budget_alert_secrets',
      idType: 'uuid',
      contextColumns: ['alert_id'],
      getContext: ({ id, alert_id }) => getContext(id, alert_id),
    });
  }

  /** Checks that secrets can be sealed. @throws MissingKeyError without a key-encryption key */
  requireAvailable(): void {
    this.cipher.requireKey();
  }

  /**
   * Creates the new current secret of an alert.
   * @returns the secret: `whsec_<base64>`
   * @throws MissingKeyError without a key-encryption key
   */
  async create(manager: EntityManager, alertId: string): Promise<string> {
    const secret = randomBytes(SECRET_BYTES);
    const id = uuidv7();
    try {
      await this.repository.insert(manager, {
        id,
        alert_id: alertId,
        ...this.cipher.seal(secret, getContext(id, alertId)),
      });
      return `whsec_${secret.toString('base64')}`;
    } finally {
      secret.fill(0);
    }
  }

  /**
   * Creates a new secret. The previous secret stays valid for 24 hours; older secrets end.
   * @returns the new secret, as `create`
   * @throws MissingKeyError without a key-encryption key
   */
  async rotate(manager: EntityManager, alertId: string, now: Date): Promise<string> {
    await this.repository.retire(manager, alertId, new Date(now.getTime() + ROTATION_GRACE_MS).toISOString());
    return this.create(manager, alertId);
  }

  /**
   * Opens the valid secrets, the current one first. The caller must not store them.
   * @throws MissingKeyError when a key is not configured; DecryptionError when a row was changed
   */
  async openValid(alertId: string, now: Date): Promise<Uint8Array[]> {
    const sealed = await this.repository.listValid(alertId, now.toISOString());
    return sealed.map((row) => this.cipher.open(row, getContext(row.id, alertId)));
  }
}
