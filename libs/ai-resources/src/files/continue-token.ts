import { isJsonObject } from '../merge-patch.ts';
import { ResourceStoreError } from '../resource-store.ts';

/** The place of the next page of a list. */
export interface ContinueToken {
  /** The version that all pages of the list show. */
  readonly version: number;
  /** The name of the last resource of the page before. */
  readonly after: string;
}

export const encodeContinueToken = ({ version, after }: ContinueToken): string =>
  Buffer.from(JSON.stringify({ version, after })).toString('base64url');

/** @throws ResourceStoreError `expired` for a text that is no token of this store */
export function decodeContinueToken(text: string): ContinueToken {
  const token = parseJson(Buffer.from(text, 'base64url').toString());
  if (isJsonObject(token) && Number.isSafeInteger(token['version']) && typeof token['after'] === 'string')
    return { version: token['version'] as number, after: token['after'] };
  throw new ResourceStoreError('expired', 'The token of the next page is not valid; list again from the first page.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
