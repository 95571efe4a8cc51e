import type { Settings } from './config.ts';

/** How a service is, as far as the console can see from here. */
export interface ServiceStatus {
  /** `enterprise-manager`. */
  name: string;
  title: string;
  url: string;
  /** `ready`: answers and can work. `not_ready`: answers, but something it needs is down. `down`: does not answer. */
  state: 'ready' | 'not_ready' | 'down';
  /** What the service itself says is missing. */
  detail?: string;
}

/** A service that is asked. */
export interface WatchedService {
  name: string;
  title: string;
  url: string;
}

/** The services of this installation. */
export function watchedServices(settings: Settings): WatchedService[] {
  const services = [
    { name: 'enterprise-manager', title: 'Enterprise manager', url: settings.ENTERPRISE_MANAGER_URL },
    { name: 'connector-gateway', title: 'Connector gateway', url: settings.CONNECTOR_GATEWAY_URL },
    { name: 'ai-gateway-mgmt', title: 'AI gateway management', url: settings.AI_GATEWAY_MGMT_URL },
    { name: 'ai-gateway', title: 'AI gateway', url: settings.AI_GATEWAY_URL },
  ];
  const provider = settings.IDENTITY_PROVIDER_URL;
  return provider ? [...services, { name: 'identity-provider', title: 'Identity provider', url: provider }] : services;
}

/** Milliseconds that a service has to answer. */
const PATIENCE = 2000;

/** Asks a service whether it is ready. Never rejects: a service that does not answer is `down`. */
export async function askService(service: WatchedService, ask: typeof fetch = fetch): Promise<ServiceStatus> {
  try {
    const response = await ask(`${service.url}/readyz`, { signal: AbortSignal.timeout(PATIENCE), redirect: 'error' });
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return { ...service, state: 'ready' };
    const detail = sentenceOf(body);
    return { ...service, state: 'not_ready', ...(detail === undefined ? {} : { detail }) };
  } catch {
    return { ...service, state: 'down' };
  }
}

function sentenceOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string')
    return undefined;
  return body.error.slice(0, 300);
}
