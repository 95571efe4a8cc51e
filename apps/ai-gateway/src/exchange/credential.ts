import { countHeader } from '@gatehouse/service-kit/raw-headers';
import type { IncomingMessage } from 'node:http';
import { ModelCallError } from '../formats/model-call-error.ts';

/** The headers of a request. */
type RequestHeaders = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

const BEARER = /^Bearer +(\S+) *$/i;

/** Each may occur once: Node keeps the first or joins all, and a proxy may read another one. */
const HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** The places where the SDKs of the vendors put their key. */
const PLACES = 'Authorization: Bearer, x-api-key, x-goog-api-key or the query parameter key';

/**
 * Reads the credential of a request: a virtual key or an access token, in the place of any vendor.
 * The same one may be in several places.
 * @param query removes the credential from it
 * @throws ModelCallError `unauthenticated` without a credential, `invalid_request` for several
 */
export function readCredential({ headers, rawHeaders }: RequestHeaders, query: URLSearchParams): string {
  if (HEADERS.some((name) => countHeader(rawHeaders, name) > 1)) throw createSeveralCredentialsError();
  const { authorization } = headers;
  const bearer = authorization === undefined ? undefined : (BEARER.exec(authorization)?.[1] ?? '');
  const found = [bearer, headers['x-api-key'], headers['x-goog-api-key'], ...query.getAll('key')];
  query.delete('key');
  const credentials = new Set(found.filter((value) => value !== undefined && value !== ''));
  if (credentials.size > 1) throw createSeveralCredentialsError();
  const [credential] = credentials;
  if (typeof credential === 'string') return credential;
  throw new ModelCallError('unauthenticated', `No API key was provided. Send it as ${PLACES}.`);
}

const createSeveralCredentialsError = () =>
  new ModelCallError('invalid_request', `The request has several API keys. Send one, as ${PLACES}.`);
