import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendOAuthError } from './oauth-error.ts';
import type { PayloadsRepository } from '../storage/payloads.repository.ts';
import type { RegistrationCountsRepository } from './registration-counts.repository.ts';

/** Most registered clients over all replicas. */
const MAX_CLIENTS = 10_000;

/** Largest body of a registration, in bytes. */
const MAX_REGISTRATION_BYTES = 16 * 1024;

/** Path of the dynamic registration of clients (RFC 7591). */
export const REGISTRATION_PATH = '/oauth/register';

/** Admits registrations within their limits: size, rate of an address, and number of clients. */
export class RegistrationDoor {
  constructor(
    private readonly payloads: Pick<PayloadsRepository, 'makeRoomForClient'>,
    private readonly counts: Pick<RegistrationCountsRepository, 'admit'>,
  ) {}

  /** @returns false after an answer: 413, 429, or the preflight of a web page (Fetch standard) */
  async admit(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    // A registration gives no access, so web pages may register too.
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') {
      sendPreflight(response);
      return false;
    }
    if (request.method !== 'POST') return true;
    const length = Number(request.headers['content-length'] ?? Infinity);
    if (!(length <= MAX_REGISTRATION_BYTES)) {
      const text = `a registration must have a content-length of at most ${MAX_REGISTRATION_BYTES} bytes`;
      sendOAuthError(response, 413, 'invalid_client_metadata', text);
      return false;
    }
    const wait = await this.counts.admit(request.socket.remoteAddress ?? '');
    if (wait > 0) return refuse(response, wait, `too many registrations; try again in ${wait} s`);
    if (await this.payloads.makeRoomForClient(MAX_CLIENTS)) return true;
    return refuse(response, 3600, `${MAX_CLIENTS} registered clients are in use, the most; try again in an hour`);
  }
}

function refuse(response: ServerResponse, retrySeconds: number, description: string): false {
  response.setHeader('retry-after', retrySeconds);
  sendOAuthError(response, 429, 'temporarily_unavailable', description);
  return false;
}

function sendPreflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, mcp-protocol-version',
      'access-control-max-age': '3600',
    })
    .end();
}
