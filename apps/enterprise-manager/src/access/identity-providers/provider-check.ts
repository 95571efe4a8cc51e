import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { openEgress } from '@gatehouse/egress/egress';
import { EgressRefusalError, findRefusal } from '@gatehouse/egress/egress-refusal';
import { type DialProblem, explainDial } from '@gatehouse/egress/explain';
import { checkName, resolveHostname } from '@gatehouse/egress/resolve';
import { getAuthority, getHost, isAddress, checkUrl, type Permission, readTarget } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';
import type { ProviderCheckOutcome } from './provider-check-outcome.ts';
import type { AcceptedProvider, ExpectedDocument, ConfiguredAddress } from './identity-provider-rules.ts';

/** Time limit (milliseconds) and size limit (bytes) of one document. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

/**
 * The endpoints of a metadata document that gateways call or browsers open (RFC 8414 section 2,
 * OpenID Connect Discovery section 3).
 */
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'registration_endpoint',
  'userinfo_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
] as const;

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Resolves the addresses and reads the metadata documents of a provider.
 * @returns `unreachable` if a host cannot be resolved or does not answer now
 * @throws HttpError unprocessable with the field and the problem of a document or address
 */
export async function checkProvider({ addresses, documents }: AcceptedProvider): Promise<ProviderCheckOutcome> {
  const unreachable: string[] = [];
  for (const { field, url, permission } of addresses) {
    await checkName(url, permission).catch((error: unknown) => {
      if (!(error instanceof EgressRefusalError)) throw error;
      throw fieldError('unprocessable', field, error.message, error);
    });
    if (!(await isResolvable(url))) unreachable.push(`${field}: DNS knows no address of ${url.hostname}`);
  }
  for (const expected of documents) unreachable.push(...(await checkDocument(expected)));
  const [error] = unreachable;
  if (error !== undefined) return { status: 'unreachable', error };
  return { status: documents.length > 0 ? 'ok' : 'none' };
}

/** Whether a host name has an address now. */
const isResolvable = async (url: URL): Promise<boolean> =>
  isAddress(url) || (await resolveHostname(getHost(url)).catch((): string[] => [])).length > 0;

/** @returns a message if the document cannot be read now */
async function checkDocument(expected: ExpectedDocument): Promise<string[]> {
  const { address, kind } = expected;
  const url =
    kind === 'issuer' ? new URL(`${address.text.replace(/\/$/, '')}/.well-known/openid-configuration`) : address.url;
  const problem = await readDocument(url, address.permission).then(
    async (document) => (await findProblem(document, url, expected)) ?? undefined,
    (error: unknown) => {
      if (!isTemporary(error, url)) return formatProblem(error, url);
      return { temporary: `${address.field}: ${formatProblem(error, url)}` };
    },
  );
  if (problem === undefined) return [];
  if (typeof problem === 'object') return [problem.temporary];
  throw fieldError('unprocessable', address.field, problem);
}

/** Temporary problems of a call. Wrong certificates and refused addresses are permanent. */
const TEMPORARY_PROBLEMS: ReadonlySet<DialProblem> = new Set([
  'dns',
  'refused',
  'timeout',
  'unreachable',
  'closed',
  'other',
]);
/** Statuses of a server that is overloaded or down (RFC 9110 §15.5.9, §15.6; RFC 6585 §4). */
const isTemporaryStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429;

const isTemporary = (error: unknown, url: URL): boolean =>
  error instanceof DocumentProblemError ? error.isTemporary : TEMPORARY_PROBLEMS.has(explainDial(error, url).problem);

/** A problem of a document. The message is for the administrator. */
class DocumentProblemError extends GatehouseError {
  override readonly code = 'invalid_metadata_document';

  constructor(
    message: string,
    /** Whether a later request may succeed. */
    readonly isTemporary = false,
  ) {
    super(message);
  }
}

async function readDocument(url: URL, permission: Permission): Promise<Metadata> {
  const egress = openEgress(permission, { limits: { maxRedirects: 0, maxResponseBytes: MAX_BYTES } });
  try {
    const response = await egress.fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200)
      throw new DocumentProblemError(
        `${url.host} answers HTTP ${response.status} at ${url.pathname}`,
        isTemporaryStatus(response.status),
      );
    const document = parseJson(await response.text());
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      throw new DocumentProblemError(`${url.host} answers at ${url.pathname}, but not with a metadata document`);
    return document as Metadata;
  } finally {
    await egress.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function formatProblem(error: unknown, url: URL): string {
  if (error instanceof DocumentProblemError) return error.message;
  if (findRefusal(error)?.rule === 'redirect') return `${url.host} answers with a redirect; write the final address`;
  return explainDial(error, url).sentence;
}

/**
 * Finds the first problem of a document. The messages repeat no text of the document, because it is
 * not trusted.
 */
async function findProblem(
  document: Metadata,
  url: URL,
  { address, kind, needs, endpoints, authMethod }: ExpectedDocument,
): Promise<string | undefined> {
  const { issuer } = document;
  // RFC 8414 section 3.3 and OpenID Connect Discovery section 4.3: the issuer of a document must be
  // the issuer whose address it was read from.
  if (kind === 'issuer' ? issuer !== address.text : !listDocumentUrls(issuer).includes(url.href))
    return `the document at ${url.host} speaks for another issuer; issuers must match to the letter`;
  for (const name of ENDPOINTS) {
    const required = name === 'authorization_endpoint' || name === 'token_endpoint';
    if (document[name] === undefined && !required) continue;
    const problem = await findEndpointProblem(document[name], address);
    if (problem !== undefined) return `the ${name} that ${url.host} names cannot be used: ${problem}`;
  }
  for (const [name, configured] of Object.entries(endpoints ?? {}))
    if (document[name] !== configured) return `${url.host} names another ${name} than the one that is given`;
  if (!canOffer(document['response_types_supported'], 'code'))
    return `${url.host} does not offer the authorization code flow`;
  // A provider without a list of methods may support S256. One with a list of others does not.
  if (!canOffer(document['code_challenge_methods_supported'], 'S256'))
    return `${url.host} does not offer PKCE with S256 (RFC 7636)`;
  if (authMethod !== undefined && !canOffer(document['token_endpoint_auth_methods_supported'], authMethod))
    return `${url.host} does not take ${authMethod} at its token endpoint`;
  return needs.registration ? findRegistrationProblem(document, url, address, needs.token) : undefined;
}

async function findEndpointProblem(value: unknown, { permission }: ConfiguredAddress): Promise<string | undefined> {
  if (typeof value !== 'string') return 'it is missing';
  try {
    const target = readTarget(value);
    checkUrl(target, permission);
    await checkName(target, permission);
    return undefined;
  } catch (error) {
    if (error instanceof EgressRefusalError) return error.message;
    throw error;
  }
}

function findRegistrationProblem(
  document: Metadata,
  url: URL,
  address: ConfiguredAddress,
  withToken: boolean,
): string | undefined {
  const endpoint = document['registration_endpoint'];
  if (typeof endpoint !== 'string')
    return document['client_id_metadata_document_supported'] === true && !withToken
      ? undefined
      : `${url.host} does not let clients register themselves (RFC 7591); use a client_id`;
  if (withToken && getAuthority(new URL(endpoint)) !== getAuthority(address.url))
    return `${url.host} names a registration endpoint elsewhere, which would get the initial access token; give it as registration_endpoint`;
  return undefined;
}

/**
 * The addresses of the documents of an issuer: by RFC 8414 section 3.1, and appended as in OpenID
 * Connect Discovery section 4.
 */
function listDocumentUrls(issuer: unknown): string[] {
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return [];
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
    `${origin}/.well-known/${name}${path}`,
    `${origin}${path}/.well-known/${name}`,
  ]);
}

/** Whether a list of metadata contains a value. A document without the list may support it. */
const canOffer = (list: unknown, value: string): boolean =>
  list === undefined || (Array.isArray(list) && list.includes(value));
