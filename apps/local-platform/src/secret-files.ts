import { join } from 'node:path';
import type { HomePaths } from './home.ts';

/** The files with the secrets and settings of the services. */
export interface SecretFiles {
  cursorKey: (service: string) => string;
  clientSecret: (client: string) => string;
  databaseUrl: (service: string) => string;
  databaseOwnerUrl: (service: string) => string;
  /** The keys with which a service encrypts stored secrets. */
  keyEncryptionKeys: (service: string) => string;
  localSecret: string;
  /** The users that the enterprise manager creates at its first start. */
  seedUsers: string;
}

/** Returns the paths of these files in a home. */
export function secretFiles(paths: HomePaths): SecretFiles {
  const secret = (name: string): string => join(paths.secrets, name);
  return {
    cursorKey: (service) => secret(`${service}.cursor-key`),
    clientSecret: (client) => secret(`${client}.client-secret`),
    databaseUrl: (service) => secret(`${service}.database-url`),
    databaseOwnerUrl: (service) => secret(`${service}.database-owner-url`),
    keyEncryptionKeys: (service) => secret(`${service}.key-encryption-keys`),
    localSecret: secret('local-tokens'),
    seedUsers: join(paths.config, 'seed-users.json'),
  };
}
