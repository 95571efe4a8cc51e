import { Clock } from '@gatehouse/service-kit/clock';
import { verifyEnvelope, type VerifiedConfig } from '@gatehouse/signed-config/verify';
import { CLI } from './config-samples.ts';
import type { TestManager } from './enterprise-manager.ts';

/** A clock that moves only when a test sets it. */
export class TestClock extends Clock {
  constructor(private instant = Date.now()) {
    super();
  }

  override now(): Date {
    return new Date(this.instant);
  }

  /** Milliseconds since 1970. */
  get time(): number {
    return this.instant;
  }

  set time(instant: number) {
    this.instant = instant;
  }
}

/** A response of `GET /api/v1beta/config` with its exact text. */
export interface ConfigResponse {
  status: number;
  etag: string;
  headers: Headers;
  text: string;
}

/** Requests the configuration as the command line does. */
export async function askConfig(
  { baseUrl }: Pick<TestManager, 'baseUrl'>,
  token: string,
  headers: Record<string, string> = {},
): Promise<ConfigResponse> {
  const response = await fetch(`${baseUrl}/api/v1beta/config`, {
    headers: { authorization: `Bearer ${token}`, ...CLI, ...headers },
  });
  return {
    status: response.status,
    etag: response.headers.get('etag') ?? '',
    headers: response.headers,
    text: await response.text(),
  };
}

/** Reads the key set of a replica. */
export async function fetchKeySet({ baseUrl }: Pick<TestManager, 'baseUrl'>): Promise<{ keys: { kid: string }[] }> {
  const response = await fetch(`${baseUrl}/.well-known/jwks.json`);
  return (await response.json()) as { keys: { kid: string }[] };
}

/** Verifies an envelope as a client does. @throws {SignedConfigError} if it is rejected */
export async function accepted(
  manager: Pick<TestManager, 'baseUrl' | 'issuer'>,
  text: string,
  more: { subject?: string; audience?: string; now?: Date; lastAccepted?: string; keys?: unknown } = {},
): Promise<VerifiedConfig> {
  const { keys = await fetchKeySet(manager), subject = 'alice', ...rest } = more;
  return verifyEnvelope(text, keys, {
    audience: CLI['x-client-type'],
    issuer: manager.issuer.issuer,
    subject,
    now: new Date(),
    ...rest,
  });
}

/** Writes the client configuration and its overrides. */
export async function putConfig(
  manager: TestManager,
  config: Record<string, unknown>,
  overrides: { group_id: string; precedence: number; config: Record<string, unknown> }[] = [],
): Promise<void> {
  const { status, body } = await manager.client.call('PUT /v1/client-config', {
    token: manager.tokens.admin,
    body: { config, overrides },
  });
  if (status !== 200) throw new Error(`the configuration is refused: ${JSON.stringify(body)}`);
}

/** Creates a boolean setting. */
export const on = (value: boolean, enforcement: 'enforced' | 'default' = 'default') => ({ value, enforcement });
