import { MissingKeyError } from '@gatehouse/envelope/cipher';
import { HttpError } from '@gatehouse/service-kit/http-error';

/** Turns a missing key-encryption key into 503; undefined for every other error. */
export function toMissingKeyHttpError(error: unknown): HttpError | undefined {
  if (!(error instanceof MissingKeyError)) return undefined;
  return new HttpError(
    'unavailable',
    error.version === undefined
      ? 'no key-encryption key is configured, so secrets cannot be stored; set KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_DIR'
      : `version ${error.version} of the key-encryption key is not configured, so a value that it wraps cannot be read; add it to the configuration`,
    { cause: error },
  );
}
