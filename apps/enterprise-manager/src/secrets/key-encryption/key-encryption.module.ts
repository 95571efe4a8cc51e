import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { KeyEncryptionKeys } from './key-encryption-keys.ts';
import { KeyEncryptionController } from './key-encryption.controller.ts';
import { KeyEncryptionService } from './key-encryption.service.ts';
import { KeyFingerprintsRepository } from './key-fingerprints.repository.ts';
import { KeyReadiness } from './key-readiness.ts';
import { Rewrapping } from './rewrapping.ts';
import { SealedTables } from './sealed-tables.ts';

/**
 * Provides the EnvelopeCipher with the configured keys, and SealedTables, where a module registers
 * its table for rewrapping.
 */
@Global()
@Module({
  imports: [AuditModule],
  controllers: [KeyEncryptionController],
  providers: [
    KeyFingerprintsRepository,
    SealedTables,
    KeyEncryptionKeys,
    KeyReadiness,
    Rewrapping,
    KeyEncryptionService,
    { provide: EnvelopeCipher, useFactory: (keys: KeyEncryptionKeys) => keys.load(), inject: [KeyEncryptionKeys] },
  ],
  exports: [EnvelopeCipher, SealedTables],
})
export class KeyEncryptionModule {}
