import { readResponse, type Manager, type Schemas } from './manager.ts';

/** Reads the versions of the key-encryption key and the number of stored values that each wraps. */
export const keyEncryption = (manager: Manager): Promise<Schemas['KeyEncryptionStatus']> =>
  readResponse(manager, manager.api.GET('/v1/key-encryption'), { fields: { versions: 'list' } });

/** Starts the rewrapping of all stored values with the current version. */
export const rewrap = (manager: Manager): Promise<Schemas['KeyEncryptionStatus']> =>
  readResponse(manager, manager.api.POST('/v1/key-encryption/rewrap'), { fields: { versions: 'list' } });
