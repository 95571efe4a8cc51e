/** Which provider signs people in here. */
export interface ConsoleConfig {
  issuer: string;
  client_id: string;
}

/** How a service is. */
export interface ServiceStatus {
  name: string;
  title: string;
  url: string;
  /** The page that a person opens. */
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

/** An answer that is no success. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
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
