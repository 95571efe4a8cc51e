import type { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import type { SealedTable } from '@gatehouse/key-encryption/sealed-tables';
import type { TokenOrigin, TokenOwner } from './token-owner.ts';

/** The secret content of a row. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
}

/** Seals tokens for the row of their owner and origin. @throws MissingKeyError without a key */
export const sealTokens = (cipher: EnvelopeCipher, pair: TokenPair, owner: TokenOwner, origin: TokenOrigin) =>
  cipher.seal(Buffer.from(JSON.stringify(pair)), createContext(owner, origin));

/**
 * Opens the tokens of a row.
 * @throws DecryptionError for the tokens of another row, owner or origin; MissingKeyError
 */
export function openTokens(
  cipher: EnvelopeCipher,
  sealed: SealedValue,
  owner: TokenOwner,
  origin: TokenOrigin,
): TokenPair {
  return JSON.parse(Buffer.from(cipher.open(sealed, createContext(owner, origin))).toString()) as TokenPair;
}

/** The table of sealed tokens, for rewrapping. */
export const UPSTREAM_TOKENS_TABLE: SealedTable = {
  table: 'upstream_tokens',
  idType: 'uuid',
  contextColumns: ['issuer', 'subject', 'connector_id', 'provider_issuer', 'client_id', 'upstream_origin'],
  getContext: ({ issuer, subject, connector_id, provider_issuer, client_id, upstream_origin }) =>
    formatContext([issuer, subject, connector_id, provider_issuer, client_id, upstream_origin]),
};

/** The context binds the tokens to their owner, and to the servers that may see them. */
const createContext = (
  { issuer, subject, connectorId }: TokenOwner,
  { providerIssuer, clientId, upstreamOrigin }: TokenOrigin,
): string => formatContext([issuer, subject, connectorId, providerIssuer, clientId, upstreamOrigin]);

const formatContext = (parts: readonly unknown[]): string => `upstream_token:${JSON.stringify(parts)}`;
