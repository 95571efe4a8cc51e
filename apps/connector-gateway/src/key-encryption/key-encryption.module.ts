import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { createKeyEncryptionProviders } from '@gatehouse/key-encryption/key-encryption-providers';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { Global, Module } from '@nestjs/common';
import { SETTINGS } from '../config/config.ts';

/**
 * Provides the EnvelopeCipher with the configured keys, and SealedTables, where a module registers
 * its table for rewrapping.
 */
@Global()
@Module({ providers: createKeyEncryptionProviders(SETTINGS), exports: [EnvelopeCipher, SealedTables] })
export class KeyEncryptionModule {}
