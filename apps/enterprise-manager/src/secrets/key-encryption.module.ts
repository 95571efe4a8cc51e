import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { KeyEncryption } from './key-encryption.ts';
import { KeyEncryptionController } from './key-encryption.controller.ts';
import { KeyEncryptionService } from './key-encryption.service.ts';
import { KeyKeeper } from './key-keeper.ts';
import { KeyReadiness } from './key-readiness.ts';
import { KnownKeysRepository } from './known-keys.repository.ts';
import { Rewrapping } from './rewrapping.ts';
import { SealedTables } from './sealed-tables.ts';

/**
 * Gives every module the KeyEncryption, its keys in use, and SealedTables, through which a table's
 * values follow a new key.
 */
@Global()
@Module({
  imports: [AuditModule],
  controllers: [KeyEncryptionController],
  providers: [
    KnownKeysRepository,
    SealedTables,
    KeyKeeper,
    KeyReadiness,
    Rewrapping,
    KeyEncryptionService,
    { provide: KeyEncryption, useFactory: (keeper: KeyKeeper) => keeper.load(), inject: [KeyKeeper] },
  ],
  exports: [KeyEncryption, SealedTables],
})
export class KeyEncryptionModule {}
