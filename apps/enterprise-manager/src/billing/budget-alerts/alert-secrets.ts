import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { SealedTables } from '../../secrets/key-encryption/sealed-tables.ts';
import { AlertSecretsRepository } from './alert-secrets.repository.ts';

/** For how long the secret before a rotation signs too. */
export const OVERLAP_MS = 24 * 60 * 60 * 1_000;

const SECRET_BYTES = 32;

const contextOf = (id: unknown, alertId: unknown): string => `budget_alert_secret:${String(id)}:${String(alertId)}`;

/**
 * The secrets that sign what alerts send: made, sealed, opened for signing, and shown to whoever
 * makes or rotates one, once.
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
      contextOf: ({ id, alert_id }) => contextOf(id, alert_id),
    });
  }

  /** @throws MissingKeyError without a key-encryption key */
  requireAvailable(): void {
    this.cipher.requireKey();
  }

  /**
   * Makes the secret that signs from now on.
   * @returns it, `whsec_<base64>`.
   * @throws MissingKeyError without a key-encryption key
   */
  async make(manager: EntityManager, alertId: string): Promise<string> {
    const secret = randomBytes(SECRET_BYTES);
    const id = uuidv7();
    try {
      await this.repository.insert(manager, {
        id,
        alert_id: alertId,
        ...this.cipher.seal(secret, contextOf(id, alertId)),
      });
      return `whsec_${secret.toString('base64')}`;
    } finally {
      secret.fill(0);
    }
  }

  /**
   * Makes the next secret; the one before signs too until a day from now, any older one no more.
   * @returns the new secret.
   * @throws as `make`
   */
  async rotate(manager: EntityManager, alertId: string, now: Date): Promise<string> {
    await this.repository.retire(manager, alertId, new Date(now.getTime() + OVERLAP_MS).toISOString());
    return this.make(manager, alertId);
  }

  /**
   * The secrets that sign now, the current one first, as bytes; nothing keeps them afterwards.
   * @throws MissingKeyError when a key is not configured; DecryptionError when a row was changed
   */
  async open(alertId: string, now: Date): Promise<Uint8Array[]> {
    const sealed = await this.repository.validOf(alertId, now.toISOString());
    return sealed.map((row) => this.cipher.open(row, contextOf(row.id, alertId)));
  }
}
