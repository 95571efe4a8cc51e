/** Claims of JWT, RFC 9068 and OpenID Connect that say nothing about the person. */
const PROTOCOL_CLAIMS: ReadonlySet<string> = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'azp',
  'client_id',
  'sid',
  'acr',
  'amr',
  'auth_time',
  'typ',
  'token_use',
  'scope',
  'scp',
  'cnf',
  'act',
  'may_act',
  'authorization_details',
]);

/** Claims of a person, as the corporate provider made them. */
export type CorporateClaims = Readonly<Record<string, unknown>>;

/** The claims about the person, for access tokens of this server. Later objects win. */
export function selectCorporateClaims(...sources: readonly CorporateClaims[]): CorporateClaims {
  const entries = sources.flatMap((source) => Object.entries(source));
  return Object.fromEntries(entries.filter(([name]) => !PROTOCOL_CLAIMS.has(name)));
}

/** The most bytes of claims: a token verifier accepts tokens of at most 8,192 characters. */
export const MAX_CLAIM_BYTES = 4_096;

/** Whether claims fit into an access token. */
export const areClaimsTooLarge = (claims: CorporateClaims): boolean =>
  Buffer.byteLength(JSON.stringify(claims)) > MAX_CLAIM_BYTES;
