import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { openEgress } from '@gatehouse/egress/egress';
import { EgressRefusal, refusalIn } from '@gatehouse/egress/egress-refusal';
import { type DialProblem, explainDial } from '@gatehouse/egress/explain';
import { judgeName, resolveHostname } from '@gatehouse/egress/resolve';
import { authorityOf, hostOf, isAddress, judgeTarget, type Permission, readTarget } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';
import type { DiscoveryOutcome } from './discovery.ts';
import type { AcceptedProvider, ExpectedDocument, TypedAddress } from './identity-provider-rules.ts';

/** Longest time for one document, in milliseconds, and its greatest size in bytes. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

/**
 * Endpoints of a metadata document that are called or opened, if it names them (RFC 8414 section 2,
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
 * Looks up every typed address and reads every metadata document of a provider.
 * @returns `unreachable` where a host cannot be found or does not answer at the moment
 * @throws HttpError unprocessable with a sentence that names the field and says what is wrong with
 * what was found there
 */
export async function checkProvider({ addresses, documents }: AcceptedProvider): Promise<DiscoveryOutcome> {
  const missing: string[] = [];
  for (const { field, url, permission } of addresses) {
    await judgeName(url, permission).catch((error: unknown) => {
      if (!(error instanceof EgressRefusal)) throw error;
      throw fieldError('unprocessable', field, error.message, error);
    });
    if (!(await isKnown(url))) missing.push(`${field}: DNS knows no address of ${url.hostname}`);
  }
  for (const expected of documents) missing.push(...(await checkDocument(expected)));
  const [error] = missing;
  if (error !== undefined) return { status: 'unreachable', error };
  return { status: documents.length > 0 ? 'ok' : 'none' };
}

/** Whether a name has an address now. */
const isKnown = async (url: URL): Promise<boolean> =>
  isAddress(url) || (await resolveHostname(hostOf(url)).catch((): string[] => [])).length > 0;

/** @returns a sentence where the document cannot be had at the moment */
async function checkDocument(expected: ExpectedDocument): Promise<string[]> {
  const { address, kind } = expected;
  const url =
    kind === 'issuer' ? new URL(`${address.text.replace(/\/$/, '')}/.well-known/openid-configuration`) : address.url;
  const problem = await read(url, address.permission).then(
    async (document) => (await problemOf(document, url, expected)) ?? undefined,
    (error: unknown) => {
      if (!isPassing(error, url)) return sentenceAbout(error, url);
      return { passing: `${address.field}: ${sentenceAbout(error, url)}` };
    },
  );
  if (problem === undefined) return [];
  if (typeof problem === 'object') return [problem.passing];
  throw fieldError('unprocessable', address.field, problem);
}

/**
 * Problems of a call that another call at another time need not have. Wrong certificates and
 * refused addresses are none of them.
 */
const PASSING: ReadonlySet<DialProblem> = new Set(['dns', 'refused', 'timeout', 'unreachable', 'closed', 'other']);
/** Answers of a server that is overloaded or down (RFC 9110 §15.5.9, §15.6; RFC 6585 §4). */
const isPassingStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429;

const isPassing = (error: unknown, url: URL): boolean =>
  error instanceof DocumentProblem ? error.isPassing : PASSING.has(explainDial(error, url).problem);

/** Something about a document, in words for the administrator. */
class DocumentProblem extends GatehouseError {
  override readonly code = 'invalid_metadata_document';

  constructor(
    message: string,
    /** Whether another answer may come at another time. */
    readonly isPassing = false,
  ) {
    super(message);
  }
}

async function read(url: URL, permission: Permission): Promise<Metadata> {
  const egress = openEgress(permission, { limits: { maxRedirects: 0, maxResponseBytes: MAX_BYTES } });
  try {
    const answer = await egress.fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.status !== 200)
      throw new DocumentProblem(
        `${url.host} answers HTTP ${answer.status} at ${url.pathname}`,
        isPassingStatus(answer.status),
      );
    const document = jsonOf(await answer.text());
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      throw new DocumentProblem(`${url.host} answers at ${url.pathname}, but not with a metadata document`);
    return document as Metadata;
  } finally {
    await egress.close();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sentenceAbout(error: unknown, url: URL): string {
  if (error instanceof DocumentProblem) return error.message;
  if (refusalIn(error)?.rule === 'redirect') return `${url.host} answers with a redirect; write the final address`;
  return explainDial(error, url).sentence;
}

/**
 * What is wrong with a document, or undefined. What the document says is not repeated: it is
 * somebody else's text.
 */
async function problemOf(
  document: Metadata,
  url: URL,
  { address, kind, needs, endpoints, authMethod }: ExpectedDocument,
): Promise<string | undefined> {
  const { issuer } = document;
  // RFC 8414 section 3.3 and OpenID Connect Discovery section 4.3: whoever speaks for an issuer
  // must be found at it.
  if (kind === 'issuer' ? issuer !== address.text : !documentsOf(issuer).includes(url.href))
    return `the document at ${url.host} speaks for another issuer; issuers must match to the letter`;
  for (const name of ENDPOINTS) {
    const required = name === 'authorization_endpoint' || name === 'token_endpoint';
    if (document[name] === undefined && !required) continue;
    const problem = await endpointProblem(document[name], address);
    if (problem !== undefined) return `the ${name} that ${url.host} names cannot be used: ${problem}`;
  }
  for (const [name, typed] of Object.entries(endpoints ?? {}))
    if (document[name] !== typed) return `${url.host} names another ${name} than the one that is given`;
  if (!offers(document['response_types_supported'], 'code'))
    return `${url.host} does not offer the authorization code flow`;
  // A provider that lists no methods may know S256 all the same; one that lists others does not.
  if (!offers(document['code_challenge_methods_supported'], 'S256'))
    return `${url.host} does not offer PKCE with S256 (RFC 7636)`;
  if (authMethod !== undefined && !offers(document['token_endpoint_auth_methods_supported'], authMethod))
    return `${url.host} does not take ${authMethod} at its token endpoint`;
  return needs.registration ? registrationProblem(document, url, address, needs.token) : undefined;
}

async function endpointProblem(value: unknown, { permission }: TypedAddress): Promise<string | undefined> {
  if (typeof value !== 'string') return 'it is missing';
  try {
    const target = readTarget(value);
    judgeTarget(target, permission);
    await judgeName(target, permission);
    return undefined;
  } catch (error) {
    if (error instanceof EgressRefusal) return error.message;
    throw error;
  }
}

function registrationProblem(
  document: Metadata,
  url: URL,
  address: TypedAddress,
  withToken: boolean,
): string | undefined {
  const endpoint = document['registration_endpoint'];
  if (typeof endpoint !== 'string')
    return document['client_id_metadata_document_supported'] === true && !withToken
      ? undefined
      : `${url.host} does not let clients register themselves (RFC 7591); use a client_id`;
  if (withToken && authorityOf(new URL(endpoint)) !== authorityOf(address.url))
    return `${url.host} names a registration endpoint elsewhere, which would get the initial access token; give it as registration_endpoint`;
  return undefined;
}

/**
 * Where the documents of an issuer lie: RFC 8414 section 3.1, and appended as OpenID Connect
 * Discovery section 4 does.
 */
function documentsOf(issuer: unknown): string[] {
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return [];
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
    `${origin}/.well-known/${name}${path}`,
    `${origin}${path}/.well-known/${name}`,
  ]);
}

/** Whether a list of metadata holds a value; a document without the list leaves it open. */
const offers = (list: unknown, value: string): boolean =>
  list === undefined || (Array.isArray(list) && list.includes(value));
