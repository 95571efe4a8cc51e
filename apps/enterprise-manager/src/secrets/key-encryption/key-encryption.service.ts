import { inTransaction } from '@gatehouse/database/transaction';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { KeyEncryptionKeys } from '@gatehouse/key-encryption/key-encryption-keys';
import type { KeyEncryptionStatus } from './key-encryption.dto.ts';
import { Rewrapping } from '@gatehouse/key-encryption/rewrapping';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';

type VersionState = KeyEncryptionStatus['versions'][number]['state'];

/** The status of the key-encryption keys, and the start of rewrapping. */
@Injectable()
export class KeyEncryptionService {
  constructor(
    private readonly cipher: EnvelopeCipher,
    private readonly keys: KeyEncryptionKeys,
    private readonly tables: SealedTables,
    private readonly rewrapping: Rewrapping,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  async getStatus(): Promise<KeyEncryptionStatus> {
    const counts = new Map((await this.tables.countByVersion()).map(({ version, values }) => [version, values]));
    const current = this.cipher.currentVersion;
    const versions = new Set([...this.cipher.versions, ...this.keys.rejectedVersions, ...counts.keys()]);
    return {
      ...(current !== undefined && { current_version: current }),
      versions: [...versions]
        .sort((a, b) => a - b)
        .map((version) => ({ version, state: this.getState(version), values: counts.get(version) ?? 0 })),
      rewrapping: this.rewrapping.isRunning,
    };
  }

  /** Starts rewrapping. @throws MissingKeyError without a key */
  async rewrap(caller: Caller): Promise<KeyEncryptionStatus> {
    this.cipher.requireKey();
    await inTransaction(this.dataSource, (manager) =>
      this.audit.record(manager, caller, {
        operation: 'Rewrap stored values',
        object_kind: 'key_encryption',
        object_id: String(this.cipher.currentVersion),
        changed_fields: [],
      }),
    );
    this.rewrapping.start();
    return this.getStatus();
  }

  private getState(version: number): VersionState {
    if (this.keys.rejectedVersions.includes(version)) return 'refused';
    if (version === this.cipher.currentVersion) return 'current';
    return this.cipher.versions.includes(version) ? 'opens' : 'missing';
  }
}
