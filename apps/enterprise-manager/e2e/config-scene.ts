import { Clock } from '@gatehouse/service-kit/clock';
import { verifyEnvelope, type VerifiedConfig } from '@gatehouse/signed-config/verify';
import { CLI } from './config-samples.ts';
import type { TestManager } from './enterprise-manager.ts';

/** A clock that stands where a test puts it. */
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

/** An answer of `GET /api/v1beta/config` to the byte. */
export interface ConfigAnswer {
  status: number;
  etag: string;
  headers: Headers;
  text: string;
}

/** Asks for the configuration as a client of the CLI's type does. */
export async function askConfig(
  { baseUrl }: Pick<TestManager, 'baseUrl'>,
  token: string,
  headers: Record<string, string> = {},
): Promise<ConfigAnswer> {
  const answer = await fetch(`${baseUrl}/api/v1beta/config`, {
    headers: { authorization: `Bearer ${token}`, ...CLI, ...headers },
  });
  return {
    status: answer.status,
    etag: answer.headers.get('etag') ?? '',
    headers: answer.headers,
    text: await answer.text(),
  };
}

/** The key set of a replica. */
export async function keySetOf({ baseUrl }: Pick<TestManager, 'baseUrl'>): Promise<{ keys: { kid: string }[] }> {
  const answer = await fetch(`${baseUrl}/.well-known/jwks.json`);
  return (await answer.json()) as { keys: { kid: string }[] };
}

/** What a client makes of an envelope. @throws SignedConfigError when it does not accept it */
export async function accepted(
  manager: Pick<TestManager, 'baseUrl' | 'issuer'>,
  text: string,
  more: { subject?: string; audience?: string; now?: Date; lastAccepted?: string; keys?: unknown } = {},
): Promise<VerifiedConfig> {
  const { keys = await keySetOf(manager), subject = 'alice', ...rest } = more;
  return verifyEnvelope(text, keys, {
    audience: CLI['x-client-type'],
    issuer: manager.issuer.issuer,
    subject,
    now: new Date(),
    ...rest,
  });
}

/** Writes the documents of clients. */
export async function putConfig(
  manager: TestManager,
  config: Record<string, unknown>,
  overrides: { group_id: string; precedence: number; config: Record<string, unknown> }[] = [],
): Promise<void> {
  const { status, body } = await manager.client.call('PUT /v1/client-config', {
    token: manager.tokens.admin,
    body: { config, overrides },
  });
  if (status !== 200) throw new Error(`the documents are not taken: ${JSON.stringify(body)}`);
}

/** A switch. */
export const on = (value: boolean, enforcement: 'enforced' | 'default' = 'default') => ({ value, enforcement });
