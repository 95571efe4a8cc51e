import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseGoDuration } from '@gatehouse/workloads/flags/go-duration';
import { type CliError, UsageError, CommandFailedError } from '../errors/cli-error.ts';

/** The user, audience and lifetime of a token. */
export interface TokenRequest {
  user?: string;
  client?: string;
  /** `aud`; default the platform's own. */
  audience?: string;
  /** A Go duration, such as `10m`. */
  ttl: string;
}

/** The used members of platform.json. */
interface RunningPlatform {
  issuer: string;
}

/**
 * Requests one access token from the identity provider of the local platform. The caller must be
 * able to read the platform's home.
 * @throws {CliError} when the platform does not run, or does not know the name
 */
export async function localToken(home: string, options: TokenRequest): Promise<string> {
  const { ttl, ...rest } = options;
  for (const [flag, value] of Object.entries(rest)) {
    if (value === '') throw new UsageError(`--${flag} must not be empty`);
  }
  const request = { ...rest, ttl_seconds: parseTtl(ttl) };
  const { issuer } = readPlatform(home);
  const response = await requestToken(issuer, readSecret(home), request, home);
  const { access_token: token, error } = await readBody(response);
  if (response.ok && typeof token === 'string' && token !== '') return token;
  const reason =
    typeof error === 'string' ? error : `the identity provider answered ${response.status} without a token`;
  throw new CommandFailedError(reason);
}

/** The body of a response; an empty object unless it is a JSON object. */
async function readBody(response: Response): Promise<{ access_token?: unknown; error?: unknown }> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? body : {};
}

/** Whole seconds of a Go duration. @throws UsageError */
function parseTtl(ttl: string): number {
  const seconds = (parseGoDuration(ttl) ?? Number.NaN) / 1000;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return seconds;
  throw new UsageError(`--ttl must be a duration in whole seconds from 1s to 24h, not ${JSON.stringify(ttl)}`);
}

function readPlatform(home: string): RunningPlatform {
  let platform: unknown;
  try {
    platform = JSON.parse(readFileSync(join(home, 'platform.json'), 'utf8'));
  } catch (cause) {
    throw notRunningError(home, cause);
  }
  const issuer =
    typeof platform === 'object' && platform !== null && 'issuer' in platform ? platform.issuer : undefined;
  const url = typeof issuer === 'string' ? URL.parse(issuer) : null;
  if (!url) throw notRunningError(home, undefined);
  // The secret gives access to every identity of the platform, so it is sent to this machine only,
  // also when the file was changed.
  if (url.protocol !== 'http:' || url.hostname !== '127.0.0.1') {
    throw new CommandFailedError(
      `${join(home, 'platform.json')} names ${JSON.stringify(issuer)} as identity provider, which is not an address of this machine`,
    );
  }
  return { issuer: url.origin };
}

function readSecret(home: string): string {
  try {
    return readFileSync(join(home, 'secrets', 'local-tokens'), 'utf8');
  } catch (cause) {
    throw new CommandFailedError(`the secrets of ${home} cannot be read: only its owner can ask for tokens`, [], cause);
  }
}

async function requestToken(issuer: string, secret: string, request: object, home: string): Promise<Response> {
  try {
    return await fetch(`${issuer}/local/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
  } catch (cause) {
    throw notRunningError(home, cause);
  }
}

function notRunningError(home: string, cause: unknown): CliError {
  return new CommandFailedError(
    `the local platform of ${home} does not run`,
    ['npm start', 'or set GATEHOUSE_HOME to the home of the platform that runs'],
    cause,
  );
}
