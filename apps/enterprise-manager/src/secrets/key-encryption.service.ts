import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.ts';
import type { KeyEncryptionStatus } from './key-encryption.dto.ts';
import { KeyEncryption } from './key-encryption.ts';
import { KeyKeeper } from './key-keeper.ts';
import { Rewrapping } from './rewrapping.ts';
import { SealedTables } from './sealed-tables.ts';

type State = KeyEncryptionStatus['versions'][number]['state'];

/** What administrators see and start of the key-encryption keys. */
@Injectable()
export class KeyEncryptionService {
  constructor(
    private readonly encryption: KeyEncryption,
    private readonly keeper: KeyKeeper,
    private readonly tables: SealedTables,
    private readonly rewrapping: Rewrapping,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  async status(): Promise<KeyEncryptionStatus> {
    const counts = new Map((await this.tables.counts()).map(({ version, values }) => [version, values]));
    const current = this.encryption.currentVersion;
    const versions = new Set([...this.encryption.versions, ...this.keeper.refusedVersions, ...counts.keys()]);
    return {
      ...(current !== undefined && { current_version: current }),
      versions: [...versions]
        .sort((a, b) => a - b)
        .map((version) => ({ version, state: this.stateOf(version), values: counts.get(version) ?? 0 })),
      rewrapping: this.rewrapping.running,
    };
  }

  /** Begins a pass over the stored values. @throws HttpError unavailable without a key */
  async rewrap(caller: Caller): Promise<KeyEncryptionStatus> {
    this.encryption.requireAvailable();
    await inTransaction(this.dataSource, (manager) =>
      this.audit.record(manager, caller, {
        operation: 'Rewrap stored values',
        object_kind: 'key_encryption',
        object_id: String(this.encryption.currentVersion),
        changed_fields: [],
      }),
    );
    this.rewrapping.kick();
    return this.status();
  }

  private stateOf(version: number): State {
    if (this.keeper.refusedVersions.includes(version)) return 'refused';
    if (version === this.encryption.currentVersion) return 'current';
    return this.encryption.versions.includes(version) ? 'opens' : 'missing';
  }
}
