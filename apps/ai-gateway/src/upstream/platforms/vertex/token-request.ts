import { explainDial } from '@gatehouse/egress/explain';
import { isHeaderValue } from '@gatehouse/egress/header-value';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import type { ServiceAccountKey } from '../../../provider-credentials/service-account-key.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The longest lifetime that Google accepts for an assertion. */
const ASSERTION_SECONDS = 3_600;
const TIMEOUT_MS = 5_000;

/** An access token with its lifetime. */
export interface IssuedToken {
  readonly token: string;
  readonly lifetimeMs: number;
}

/** Sends the request of a token. */
export type SendTokenRequest = (url: string, init: RequestInit) => Promise<Response>;

const tokenSchema = z.object({
  access_token: z.string().refine(isHeaderValue),
  expires_in: z.coerce.number().positive().max(86_400).default(3_600),
});
const refusalSchema = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) });

/**
 * Exchanges a signed assertion of a service account for an access token of Google Cloud (RFC 7523,
 * section 2.1).
 * @param now milliseconds since 1970
 * @throws ModelCallError `unavailable` with a reason that holds no secret
 */
export async function requestToken(
  account: ServiceAccountKey,
  send: SendTokenRequest,
  now: number,
): Promise<IssuedToken> {
  const body = new URLSearchParams({ grant_type: GRANT, assertion: await signAssertion(account, now) }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  let status: number;
  let document: unknown;
  try {
    const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const response = await send(account.tokenUrl, init);
    status = response.status;
    document = parseJson(await response.text());
  } catch (cause) {
    throw createError(`google_token_unavailable: ${explainDial(cause, new URL(account.tokenUrl)).sentence}`, cause);
  }
  if (status !== 200) {
    const { data } = refusalSchema.safeParse(document);
    throw createError(`google_token_refused: ${status} ${data?.error ?? ''}`.trim());
  }
  const parsed = tokenSchema.safeParse(document);
  if (!parsed.success) throw createError('google_token_unreadable');
  return { token: parsed.data.access_token, lifetimeMs: parsed.data.expires_in * 1_000 };
}

function signAssertion({ email, key, keyId, tokenUrl }: ServiceAccountKey, now: number): Promise<string> {
  const seconds = Math.floor(now / 1_000);
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + ASSERTION_SECONDS)
    .sign(key);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const createError = (reason: string, cause?: unknown) =>
  new ModelCallError('unavailable', 'The provider of the model gives the gateway no access now. Try again later.', {
    reason,
    cause,
  });
