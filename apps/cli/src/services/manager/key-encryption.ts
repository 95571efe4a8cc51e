import { answerOf, type Manager, type Schemas } from './manager.ts';

/** The versions of the key-encryption key, and how many stored values each wraps. */
export const keyEncryption = (manager: Manager): Promise<Schemas['KeyEncryptionStatus']> =>
  answerOf(manager, manager.api.GET('/v1/key-encryption'), { fields: { versions: 'list' } });

/** Begins to bring every stored value under the current version. */
export const rewrap = (manager: Manager): Promise<Schemas['KeyEncryptionStatus']> =>
  answerOf(manager, manager.api.POST('/v1/key-encryption/rewrap'), { fields: { versions: 'list' } });
