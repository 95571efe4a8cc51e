import { resolve } from 'node:path';
import type { TokenExchangeConfig } from './authentication-sections.ts';
import { flagError } from '../errors/workload-error.ts';
import { parseScopes } from './scopes.ts';
import { readToken } from './token-file.ts';

/** The flags of token exchange as typed. */
export interface TokenExchangeFlags {
  readonly tokenExchangeUrl?: string | undefined;
  readonly tokenExchangeClientId?: string | undefined;
  /** The secret, or a reference to one: `NAME,target=TARGET`. */
  readonly tokenExchangeClientSecret?: string | undefined;
  readonly tokenExchangeClientSecretFile?: string | undefined;
  readonly tokenExchangeAudience?: string | undefined;
  readonly tokenExchangeScopes?: readonly string[] | undefined;
  readonly tokenExchangeSubjectTokenType?: string | undefined;
  readonly tokenExchangeHeaderName?: string | undefined;
}

const URN = 'urn:ietf:params:oauth:token-type:';
/** The types of the token of the caller, with the URN that configurations have. */
const SUBJECT_TOKEN_TYPES = ['access_token', 'id_token', 'jwt'] as const;
/** See {@link SUBJECT_TOKEN_TYPES}. */
export type SubjectTokenType = (typeof SUBJECT_TOKEN_TYPES)[number];

/** Finds a type by its short name or its URN; undefined for an unknown one. */
export const findSubjectTokenType = (text: string): SubjectTokenType | undefined =>
  SUBJECT_TOKEN_TYPES.find((type) => text === type || text === `${URN}${type}`);

/**
 * Parses the flags of token exchange.
 * @param folder the folder of relative paths
 * @param parseEndpoint checks an address that the proxy requests
 * @returns undefined without `--token-exchange-url`
 * @throws WorkloadError (usage) that names the flag
 */
export function parseTokenExchange(
  flags: TokenExchangeFlags,
  folder: string,
  parseEndpoint: (flag: string, value: string) => string,
): TokenExchangeConfig | undefined {
  const { tokenExchangeUrl: url, tokenExchangeClientId: clientId, tokenExchangeAudience: audience } = flags;
  if (!url) {
    const idle = findIdleFlag(flags);
    if (idle === undefined) return undefined;
    throw flagError(idle, 'has no effect without --token-exchange-url, which turns token exchange on');
  }
  const secret = parseSecret(flags, folder);
  const scopes = parseScopes('--token-exchange-scopes', flags.tokenExchangeScopes);
  const type = parseType(flags.tokenExchangeSubjectTokenType);
  const header = flags.tokenExchangeHeaderName;
  return {
    token_url: parseEndpoint('--token-exchange-url', url),
    ...(clientId && { client_id: clientId }),
    ...(secret !== undefined && { client_secret: secret }),
    ...(audience && { audience }),
    ...(scopes.length > 0 && { scopes }),
    ...(type !== undefined && { subject_token_type: `${URN}${type}` }),
    ...(header && { header_strategy: 'custom', external_token_header_name: parseHeaderName(header) }),
  };
}

const findIdleFlag = (flags: TokenExchangeFlags): string | undefined =>
  Object.keys(flags)
    .filter((name) => name.startsWith('tokenExchange') && isGiven(flags[name as keyof TokenExchangeFlags]))
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)[0];

const isGiven = (value: string | readonly string[] | undefined): boolean => value !== undefined && value.length > 0;

function parseSecret(flags: TokenExchangeFlags, folder: string): string | undefined {
  const { tokenExchangeClientSecret: secret, tokenExchangeClientSecretFile: file } = flags;
  if (!secret && !file) return undefined;
  const typed = secret ? '--token-exchange-client-secret' : `--token-exchange-client-secret-file ${file ?? ''}`;
  if (secret && file)
    throw flagError(
      '--token-exchange-client-secret',
      'cannot be given together with --token-exchange-client-secret-file',
    );
  if (!flags.tokenExchangeClientId) throw flagError(typed, 'needs --token-exchange-client-id, which names the client');
  return secret || readToken(resolve(folder, file ?? ''), typed);
}

function parseType(text: string | undefined): SubjectTokenType | undefined {
  if (!text) return undefined;
  const type = findSubjectTokenType(text);
  if (type === undefined)
    throw flagError(`--token-exchange-subject-token-type ${text}`, 'is not access_token, id_token or jwt');
  return type;
}

/** The proxy refuses the headers of the connection; see its forward-headers pass. */
function parseHeaderName(name: string): string {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    throw flagError(`--token-exchange-header-name ${name}`, 'is not the name of a header');
  if (/^(?:host|connection|content-length|transfer-encoding|mcp-session-id)$/i.test(name))
    throw flagError(`--token-exchange-header-name ${name}`, 'is a header that the proxy itself needs');
  return name;
}
