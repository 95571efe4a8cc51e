import { join } from 'node:path';
import type { HomePaths } from './home.ts';

/** Files with the secrets and settings that services are started with. */
export interface SecretFiles {
  cursorKey: (service: string) => string;
  clientSecret: (client: string) => string;
  databaseUrl: (service: string) => string;
  databaseOwnerUrl: (service: string) => string;
  /** Keys under which the enterprise manager seals what it stores. */
  keyEncryptionKeys: string;
  localSecret: string;
  /** The people that the enterprise manager's directory starts with. */
  seedUsers: string;
  /** Models and routes of the AI gateway, free to be edited. */
  gateway: string;
}

/** Where they lie. */
export function secretFiles(paths: HomePaths): SecretFiles {
  const secret = (name: string): string => join(paths.secrets, name);
  return {
    cursorKey: (service) => secret(`${service}.cursor-key`),
    clientSecret: (client) => secret(`${client}.client-secret`),
    databaseUrl: (service) => secret(`${service}.database-url`),
    databaseOwnerUrl: (service) => secret(`${service}.database-owner-url`),
    keyEncryptionKeys: secret('enterprise-manager.key-encryption-keys'),
    localSecret: secret('local-tokens'),
    seedUsers: join(paths.config, 'seed-users.json'),
    gateway: join(paths.config, 'gateway.yaml'),
  };
}
