import { isLoopback, managerAddress } from './address.ts';
import { fetchBuffered } from './buffered-fetch.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** The sign-in settings of an enterprise manager (`/.well-known/gatehouse-configuration`). */
export interface Bootstrap {
  readonly issuer: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly config_endpoint: string;
  readonly jwks_uri: string;
  /** Address of the API's protected resource metadata (RFC 9728). */
  readonly resource_metadata: string | undefined;
}

/** The time limit of a manager's response, in milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Reads the sign-in settings of a manager.
 * @throws CliError without a response, or when the server is not an enterprise manager
 */
export async function readBootstrap(manager: string): Promise<Bootstrap> {
  const { status, body } = await fetchJson(manager, `${manager}/.well-known/gatehouse-configuration`);
  const { issuer, client_id: clientId, scopes_supported: scopes, config_endpoint: config, jwks_uri: keys } = body;
  const { oauth_protected_resource: metadata } = body;
  if (
    status !== 200 ||
    typeof issuer !== 'string' ||
    typeof clientId !== 'string' ||
    typeof config !== 'string' ||
    typeof keys !== 'string' ||
    !Array.isArray(scopes)
  ) {
    throw new CommandFailedError(`${manager} does not answer like an enterprise manager (HTTP ${status})`, [
      'check --url: the address must not include /v1',
    ]);
  }
  const url = URL.parse(issuer);
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))) {
    throw new CommandFailedError(`${manager} has the issuer ${JSON.stringify(issuer)}, which is not an https address`);
  }
  return {
    issuer,
    client_id: clientId,
    scopes: scopes.map(String),
    config_endpoint: config,
    jwks_uri: keys,
    resource_metadata: typeof metadata === 'string' ? metadata : undefined,
  };
}

/**
 * The resource indicator (RFC 8707) for the manager's access tokens; undefined when the manager
 * publishes none.
 * @throws CliError when the metadata names another address, because RFC 9728, section 3.3, forbids
 * its use then
 */
export async function readResource(manager: string, bootstrap: Bootstrap): Promise<string | undefined> {
  const metadata = bootstrap.resource_metadata;
  if (metadata === undefined || URL.parse(metadata)?.origin !== new URL(manager).origin) return undefined;
  const { status, body } = await fetchJson(manager, metadata);
  if (status !== 200 || typeof body['resource'] !== 'string') return undefined;
  const resource = body['resource'];
  if (managerAddress(resource, 'resource') === manager) return resource;
  throw new CommandFailedError(`The resource of the manager at ${manager} is ${JSON.stringify(resource)}`, [
    `gatehouse login --url ${resource}`,
  ]);
}

/** @throws CliError without a response */
async function fetchJson(manager: string, url: string): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetchBuffered(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body: unknown = await response.json().catch(() => undefined);
    return {
      status: response.status,
      body: typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {},
    };
  } catch (cause) {
    throw unreachable(manager, cause);
  }
}

/** The manager does not answer, or it answers that it is unavailable. */
export class ManagerUnavailableError extends CommandFailedError {}

/**
 * The error of a manager that does not answer at its address.
 * @param source the flag or variable that set the address
 */
export function unreachable(manager: string, cause: unknown, source = '--url'): ManagerUnavailableError {
  const elsewhere = `${source} with the address of the manager`;
  const local = isLoopback(new URL(manager));
  return new ManagerUnavailableError(
    `The enterprise manager at ${manager} cannot be reached`,
    local ? ['npm start', `or ${elsewhere}`] : [elsewhere],
    cause,
  );
}
