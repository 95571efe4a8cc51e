import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { DataSource } from 'typeorm';
import { KeyEncryptionKeys } from './key-encryption-keys.ts';
import type { KeyEncryptionSettings } from './key-encryption-settings.ts';
import { KeyFingerprintsRepository } from './key-fingerprints.repository.ts';
import { KeyReadiness } from './key-readiness.ts';
import { Rewrapping } from './rewrapping.ts';
import { SealedTables } from './sealed-tables.ts';

/**
 * The Nest providers of the key-encryption keys: EnvelopeCipher with the configured keys,
 * SealedTables, where a module registers its table, KeyEncryptionKeys and Rewrapping. Readiness
 * names the values that no configured key can open.
 * @param settings injection token of the settings of the service
 */
export const createKeyEncryptionProviders = (settings: symbol) => [
  {
    provide: SealedTables,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new SealedTables(dataSource),
  },
  {
    provide: KeyEncryptionKeys,
    inject: [settings, DataSource, Clock, Log],
    useFactory: (keys: KeyEncryptionSettings, dataSource: DataSource, clock: Clock, log: Log) =>
      new KeyEncryptionKeys(keys, new KeyFingerprintsRepository(dataSource, clock), log),
  },
  {
    provide: EnvelopeCipher,
    inject: [KeyEncryptionKeys],
    useFactory: (keys: KeyEncryptionKeys) => keys.load(),
  },
  {
    provide: KeyReadiness,
    inject: [EnvelopeCipher, KeyEncryptionKeys, SealedTables, Readiness, Log],
    useFactory: (...parts: ConstructorParameters<typeof KeyReadiness>) => new KeyReadiness(...parts),
  },
  {
    provide: Rewrapping,
    inject: [EnvelopeCipher, KeyEncryptionKeys, SealedTables, DataSource, Log],
    useFactory: (...parts: ConstructorParameters<typeof Rewrapping>) => new Rewrapping(...parts),
  },
];
