import { inTransaction } from '@gatehouse/database/transaction';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { DataSource, type EntityManager } from 'typeorm';
import { planKeys, type PlannedKey } from './key-plan.ts';

/** A private signing key with its time. */
export interface SigningKey extends PlannedKey {
  jwk: JWK;
}

interface Row extends SealedValue {
  id: string;
  activates_at_ms: number;
}

/** Binds an encrypted key to its row. */
const getContext = (id: string): string => `as_signing_key:${id}`;

/** Stores the signing keys of the authorization server, encrypted, for all replicas. */
@Injectable()
export class SigningKeysRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: EnvelopeCipher,
    tables: SealedTables,
  ) {
    tables.register({
      table: 'as_signing_keys',
      idType: 'text',
      contextColumns: [],
      getContext: ({ id }) => getContext(id),
    });
  }

  /**
   * Creates missing keys and removes expired ones, once over all replicas.
   * @returns the published keys; the first one signs
   */
  async maintain(now: number): Promise<readonly SigningKey[]> {
    return inTransaction(this.dataSource, async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('as_signing_keys', 0))`);
      const { missing, expired } = planKeys(await this.list(manager), now);
      for (const activatesAt of missing) await this.create(manager, activatesAt);
      if (expired.length > 0)
        await manager.query('DELETE FROM as_signing_keys WHERE id = ANY ($1)', [expired.map(({ id }) => id)]);
      return planKeys(await this.list(manager), now).published;
    });
  }

  private async list(manager: EntityManager): Promise<SigningKey[]> {
    const rows = await manager.query<Row[]>(
      `SELECT id, key_version, wrapped_key, ciphertext, extract(epoch FROM activates_at)::float8 * 1000 AS activates_at_ms
       FROM as_signing_keys`,
    );
    return rows.map(({ id, activates_at_ms, ...sealed }) => ({
      id,
      activatesAt: Math.round(activates_at_ms),
      jwk: JSON.parse(Buffer.from(this.cipher.open(sealed, getContext(id))).toString()) as JWK,
    }));
  }

  private async create(manager: EntityManager, activatesAt: number): Promise<void> {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    const { key_version, wrapped_key, ciphertext } = this.cipher.seal(
      Buffer.from(JSON.stringify({ ...jwk, kid, use: 'sig', alg: 'ES256' })),
      getContext(kid),
    );
    await manager.query(
      `INSERT INTO as_signing_keys (id, key_version, wrapped_key, ciphertext, activates_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [kid, key_version, wrapped_key, ciphertext, new Date(activatesAt)],
    );
  }
}
