import type { FingerprintStore } from '@gatehouse/envelope/key-loader';
import { computeFingerprint, type KeyRing } from '@gatehouse/envelope/key-ring';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { DataSource } from 'typeorm';
import { KeyFingerprintRow } from './key-fingerprint.entity.ts';

/** The fingerprints of key-encryption keys in the database. */
export class KeyFingerprintsRepository implements FingerprintStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the fingerprints of new versions.
   * @returns the versions for which another fingerprint is stored
   */
  async register(ring: KeyRing): Promise<number[]> {
    const fingerprints = new Map([...ring.values()].map((key) => [key.version, computeFingerprint(key)]));
    const repository = this.dataSource.getRepository(KeyFingerprintRow);
    const first_seen_at = this.clock.now().toISOString();
    await repository
      .createQueryBuilder()
      .insert()
      .values([...fingerprints].map(([version, fingerprint]) => ({ version, fingerprint, first_seen_at })))
      .orIgnore()
      .execute();
    const stored = await repository.find({ order: { version: 'ASC' } });
    return stored
      .filter(({ version, fingerprint }) => fingerprints.get(version)?.equals(fingerprint) === false)
      .map(({ version }) => version);
  }
}
