import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { fingerprintOf, type KeyRing } from './key-files/key-ring.ts';

/** The key-encryption keys that this database has met. */
@Injectable()
export class KnownKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Makes new keys known and compares the others with what is known.
   * @returns the versions under which the database knows another key
   */
  async introduce(ring: KeyRing, now: string): Promise<number[]> {
    const keys = [...ring.values()];
    const params = [keys.map(({ version }) => version), keys.map(fingerprintOf)];
    await this.dataSource.query(
      `INSERT INTO key_encryption_keys (version, fingerprint, first_seen_at)
       SELECT version, fingerprint, $3::timestamptz FROM unnest($1::integer[], $2::bytea[]) AS given (version, fingerprint)
       ON CONFLICT (version) DO NOTHING`,
      [...params, now],
    );
    const strange: { version: number }[] = await this.dataSource.query(
      `SELECT version FROM unnest($1::integer[], $2::bytea[]) AS given (version, fingerprint)
       JOIN key_encryption_keys AS known USING (version) WHERE known.fingerprint <> given.fingerprint ORDER BY version`,
      params,
    );
    return strange.map(({ version }) => version);
  }
}
