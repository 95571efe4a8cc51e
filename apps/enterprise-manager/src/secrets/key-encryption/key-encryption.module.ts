import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { createKeyEncryptionProviders } from '@gatehouse/key-encryption/key-encryption-providers';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { SETTINGS } from '../../config/config.ts';
import { KeyEncryptionController } from './key-encryption.controller.ts';
import { KeyEncryptionService } from './key-encryption.service.ts';

/**
 * Provides the EnvelopeCipher with the configured keys, and SealedTables, where a module registers
 * its table for rewrapping.
 */
@Global()
@Module({
  imports: [AuditModule],
  controllers: [KeyEncryptionController],
  providers: [...createKeyEncryptionProviders(SETTINGS), KeyEncryptionService],
  exports: [EnvelopeCipher, SealedTables],
})
export class KeyEncryptionModule {}
