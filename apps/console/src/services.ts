import { configuredFetch } from '@gatehouse/egress/configured';
import type { Settings } from './config.ts';

type Ask = (input: string, init?: RequestInit) => Promise<Response>;

/** How a service is, as far as the console can see from here. */
export interface ServiceStatus {
  /** `enterprise-manager`. */
  name: string;
  title: string;
  url: string;
  /**
   * The page that a person opens: the reference of the service, or the page of the identity
   * provider.
   */
  page: string;
  /**
   * `ready`: answers and can work. `not_ready`: answers, but something it needs is down. `down`:
   * does not answer.
   */
  state: 'ready' | 'not_ready' | 'down';
  /** What the service itself says is missing. */
  detail?: string;
}

/** A service that is asked. */
export interface WatchedService {
  name: string;
  title: string;
  url: string;
  page: string;
}

/** The services of this installation. */
export function watchedServices(settings: Settings): WatchedService[] {
  const service = (name: string, title: string, url: string): WatchedService => ({
    name,
    title,
    url,
    page: `${url}/api/doc`,
  });
  const services = [
    service('enterprise-manager', 'Enterprise manager', settings.ENTERPRISE_MANAGER_URL),
    service('connector-gateway', 'Connector gateway', settings.CONNECTOR_GATEWAY_URL),
    service('ai-gateway-mgmt', 'AI gateway management', settings.AI_GATEWAY_MGMT_URL),
    service('ai-gateway', 'AI gateway', settings.AI_GATEWAY_URL),
  ];
  const provider = settings.IDENTITY_PROVIDER_URL;
  if (!provider) return services;
  return [...services, { name: 'identity-provider', title: 'Identity provider', url: provider, page: `${provider}/` }];
}

/** Milliseconds that a service has to answer. */
const PATIENCE = 2000;

/** Asks a service whether it is ready. Never rejects: a service that does not answer is `down`. */
export async function askService(
  service: WatchedService,
  ask: Ask = configuredFetch([service.url]),
): Promise<ServiceStatus> {
  try {
    const response = await ask(`${service.url}/readyz`, { signal: AbortSignal.timeout(PATIENCE) });
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return { ...service, state: 'ready' };
    const detail = sentenceOf(body);
    return { ...service, state: 'not_ready', ...(detail === undefined ? {} : { detail }) };
  } catch {
    return { ...service, state: 'down' };
  }
}

/** Milliseconds for which an answer about all services is good enough for everybody who asks. */
const FRESH = 1000;

/**
 * Asks all services, at most once a second however many ask here: nobody needs a token for the
 * state of the services, and a flood of such questions must not become five times as many.
 *
 * @param ask asks one service
 * @param now milliseconds of a clock that never goes back
 */
export function watchServices(
  services: readonly WatchedService[],
  ask: (service: WatchedService) => Promise<ServiceStatus> = askService,
  now: () => number = () => performance.now(),
): () => Promise<ServiceStatus[]> {
  let last: { asked: number; states: Promise<ServiceStatus[]> } | undefined;
  return () => {
    if (!last || now() - last.asked >= FRESH)
      last = { asked: now(), states: Promise.all(services.map((service) => ask(service))) };
    return last.states;
  };
}

function sentenceOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string')
    return undefined;
  return body.error.slice(0, 300);
}
