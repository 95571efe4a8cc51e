/** The OpenID provider of the console. */
export interface ConsoleConfig {
  issuer: string;
  client_id: string;
}

/** The state of a service. */
export interface ServiceStatus {
  name: string;
  title: string;
  url: string;
  /** The page for users. */
  page: string;
  state: 'ready' | 'not_ready' | 'down';
  detail?: string;
}

/** The caller's own entry in the directory. */
export interface Profile {
  issuer: string;
  subject: string;
  active: boolean;
  user_name?: string;
  display_name?: string;
  email?: string;
  groups: { id: string; display_name: string }[];
}

/** An error response. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const readConfig = (): Promise<ConsoleConfig> => get('/api/config');

export const readServices = async (): Promise<ServiceStatus[]> =>
  (await get<{ services: ServiceStatus[] }>('/api/services')).services;

export const readProfile = (accessToken: string): Promise<Profile> =>
  get('/api/me', { authorization: `Bearer ${accessToken}` });

async function get<T>(path: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json', ...headers } });
  const body = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new ApiError(response.status, body.error ?? `the server answered ${response.status}`);
  return body;
}
