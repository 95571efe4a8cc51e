import { openEgress } from '@gatehouse/egress/egress';
import { getAuthority, readTarget } from '@gatehouse/egress/target';
import type { RegistryCredentials } from '../registry-credentials/find-credentials.ts';

/** A registry that wants a sign-in. */
export interface SignInRequest {
  /** The value of WWW-Authenticate. */
  readonly challenge: string;
  /** The address of the registry. */
  readonly base: URL;
  readonly credentials: RegistryCredentials | undefined;
  readonly certificates: string | undefined;
  readonly abort: AbortSignal;
}

/** Whether a host is this machine, where registries for tests and development speak http. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(host);

/**
 * Returns the value of Authorization for a registry: a token of its token server, or the password.
 * @throws Error when the registry wants a sign-in that is not possible
 */
export async function authorize(request: SignInRequest): Promise<string> {
  const { challenge, base, credentials } = request;
  if (credentials?.registrytoken) return `Bearer ${credentials.registrytoken}`;
  const [scheme = ''] = challenge.split(' ');
  if (scheme.toLowerCase() === 'bearer') return `Bearer ${await fetchToken(request)}`;
  if (scheme.toLowerCase() === 'basic' && credentials?.username !== undefined) return createBasic(credentials);
  throw new Error(`the registry ${base.host} wants a sign-in; use docker login ${base.host}`);
}

const createBasic = ({ username = '', password = '' }: RegistryCredentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Gets a token as the distribution specification has it, with OAuth for an identity token. */
async function fetchToken({ challenge, base, credentials, certificates, abort }: SignInRequest): Promise<string> {
  const parameters = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value]) => [name, value]));
  const url = readTarget(parameters.get('realm') ?? '');
  if (url.protocol !== 'https:' && !(isLoopbackHost(url.host) && isLoopbackHost(base.host)))
    throw new Error(`the registry ${base.host} names a token server without https`);
  const isLocal = isLoopbackHost(base.host);
  const egress = openEgress(
    { authority: getAuthority(url), allowPrivateIps: true, allowLoopback: isLocal },
    { limits: { maxResponseBytes: 1024 * 1024, maxRedirects: 0 }, certificates },
  );
  const fields = { service: parameters.get('service') ?? '', scope: parameters.get('scope') ?? '' };
  try {
    const response = await egress.fetch(...createTokenRequest(url, fields, credentials, abort));
    if (!response.ok) throw new Error(`the token server ${url.host} answered with status ${response.status}`);
    const { token, access_token } = (await response.json()) as { token?: unknown; access_token?: unknown };
    const value = token ?? access_token;
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`the token server ${url.host} gave no token`);
  } finally {
    await egress.close();
  }
}

function createTokenRequest(
  url: URL,
  fields: { readonly service: string; readonly scope: string },
  credentials: RegistryCredentials | undefined,
  signal: AbortSignal,
): [URL, RequestInit] {
  if (credentials?.identitytoken) {
    const grant = { grant_type: 'refresh_token', client_id: 'gatehouse', refresh_token: credentials.identitytoken };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ ...fields, ...grant }).toString();
    return [url, { method: 'POST', headers, body, signal }];
  }
  for (const [name, value] of Object.entries(fields)) if (value !== '') url.searchParams.set(name, value);
  const headers = credentials?.username === undefined ? {} : { authorization: createBasic(credentials) };
  return [url, { headers, signal }];
}
