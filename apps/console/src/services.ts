import { createConfiguredFetch } from '@gatehouse/egress/configured';
import type { Settings } from './config.ts';

type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** The state of a service. */
export interface ServiceStatus {
  /** `enterprise-manager`. */
  name: string;
  title: string;
  url: string;
  /** The page for users: the reference of the service, or the page of the identity provider. */
  page: string;
  /**
   * `ready`: it can work. `not_ready`: it answers, but a dependency is down. `down`: it does not
   * answer.
   */
  state: 'ready' | 'not_ready' | 'down';
  /** The reason, as the service reports it. */
  detail?: string;
}

/** A service whose state is shown. */
export interface WatchedService {
  name: string;
  title: string;
  url: string;
  page: string;
}

/** Returns the services of this installation. */
export function listServices(settings: Settings): WatchedService[] {
  const createService = (name: string, title: string, url: string): WatchedService => ({
    name,
    title,
    url,
    page: `${url}/api/doc`,
  });
  const services = [
    createService('enterprise-manager', 'Enterprise manager', settings.ENTERPRISE_MANAGER_URL),
    createService('connector-gateway', 'Connector gateway', settings.CONNECTOR_GATEWAY_URL),
    createService('ai-gateway-mgmt', 'AI gateway management', settings.AI_GATEWAY_MGMT_URL),
    createService('ai-gateway', 'AI gateway', settings.AI_GATEWAY_URL),
  ];
  const provider = settings.IDENTITY_PROVIDER_URL;
  if (!provider) return services;
  return [...services, { name: 'identity-provider', title: 'Identity provider', url: provider, page: `${provider}/` }];
}

/** Time limit for the response of a service. */
const TIMEOUT_MS = 2000;

/** Reads the state of a service. Never rejects: a service without a response is `down`. */
export async function readServiceState(
  service: WatchedService,
  fetchService: Fetch = createConfiguredFetch([service.url]),
): Promise<ServiceStatus> {
  try {
    const response = await fetchService(`${service.url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return { ...service, state: 'ready' };
    const detail = readError(body);
    return { ...service, state: 'not_ready', ...(detail === undefined ? {} : { detail }) };
  } catch {
    return { ...service, state: 'down' };
  }
}

/** Time for which the states of all services are cached. */
const CACHE_MS = 1000;

/**
 * Reads the states of all services, at most once a second. The operation needs no token, so many
 * requests must not cause five times as many calls.
 *
 * @param readState reads the state of one service
 * @param now a monotonic clock in milliseconds
 */
export function watchServices(
  services: readonly WatchedService[],
  readState: (service: WatchedService) => Promise<ServiceStatus> = readServiceState,
  now: () => number = () => performance.now(),
): () => Promise<ServiceStatus[]> {
  let last: { readAt: number; states: Promise<ServiceStatus[]> } | undefined;
  return () => {
    if (!last || now() - last.readAt >= CACHE_MS)
      last = { readAt: now(), states: Promise.all(services.map((service) => readState(service))) };
    return last.states;
  };
}

function readError(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string')
    return undefined;
  return body.error.slice(0, 300);
}
