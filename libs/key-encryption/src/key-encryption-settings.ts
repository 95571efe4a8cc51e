import { readKeyFolder } from '@gatehouse/envelope/key-folder';
import { type KeyRing, KeyRingError, parseKeyRing } from '@gatehouse/envelope/key-ring';
import { secret } from '@gatehouse/service-kit/config';
import { z } from 'zod';

/** The settings that hold the key-encryption keys of a service: one of them, or none. */
export interface KeyEncryptionSettings {
  readonly KEY_ENCRYPTION_KEYS?: KeyRing | undefined;
  /** Path of a folder with valid keys. */
  readonly KEY_ENCRYPTION_KEYS_DIR?: string | undefined;
}

/**
 * The variables of a service for its key-encryption keys.
 * @param consequence what the service does without a key, a sentence of its reference of settings
 */
export const defineKeyEncryptionSettings = (consequence: string) => ({
  KEY_ENCRYPTION_KEYS: secret(keysFrom(parseKeyRing))
    .optional()
    .describe(
      `Key-encryption keys for stored secrets, each 32 random bytes: lines of \`<version>:<base64>\`, or a JSON list of \`version\`, \`key\`. The highest version encrypts. ${consequence}`,
    ),
  KEY_ENCRYPTION_KEYS_DIR: keysFrom(checkKeyFolder)
    .optional()
    .describe(
      'Alternative to `KEY_ENCRYPTION_KEYS`: a folder with one file for each key, named after its version, such as a mounted Kubernetes Secret. The service reads changes without a restart',
    ),
});

/** The problem of settings that name both places of the keys; undefined for valid settings. */
export const findKeyPlaceProblem = (settings: KeyEncryptionSettings): string | undefined =>
  settings.KEY_ENCRYPTION_KEYS !== undefined && settings.KEY_ENCRYPTION_KEYS_DIR !== undefined
    ? 'set KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_DIR, not both'
    : undefined;

/** Reads keys from a text; each problem with the keys is an issue. */
const keysFrom = <T>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof KeyRingError)) throw error;
      for (const message of error.problems) context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });

/** Checks the keys in a folder and returns its path; the service reads them again after changes. */
const checkKeyFolder = (folder: string) => {
  readKeyFolder(folder);
  return folder;
};
