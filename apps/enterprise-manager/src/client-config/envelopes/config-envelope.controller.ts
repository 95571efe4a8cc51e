import { AdmitsInactive, type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, withETag, withETagInFull } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { RequestHeaders } from '@gatehouse/service-kit/request-headers';
import type { ConfigEnvelope as Envelope } from '@gatehouse/signed-config/envelope';
import { Controller, Get } from '@nestjs/common';
import { ConfigEnvelope, ConfigRequestHeaders } from './config-envelope.dto.ts';
import { ConfigEnvelopeService } from './config-envelope.service.ts';

/** Only the caller's client may cache an envelope, and it must revalidate it each time. */
const HEADERS = { 'cache-control': 'private, no-cache', vary: 'Authorization, X-Client-Type' };

/** The route of configuration envelopes, for clients. */
@Controller('api/v1beta/config')
export class ConfigEnvelopeController {
  constructor(private readonly envelopes: ConfigEnvelopeService) {}

  @Get()
  @Requires('user')
  // Inactive users get the base configuration. The route also answers without the database.
  @AdmitsInactive()
  @Operation({
    summary: 'Get enterprise configuration',
    description:
      'Returns the configuration for the caller’s groups in an envelope. The envelope is signed for this user and type of client with a key of `/.well-known/jwks.json`. The ETag is the `etag` of the envelope in quotes, so all envelopes with the same content share it. A new envelope is issued after half of the lifetime. `Last-Modified` is `issued_at`: a client that sends it in `If-Modified-Since` together with `If-None-Match` receives 304 only if it has this envelope. While the database is unavailable, the answer is the last known configuration in full, with `degraded_mode.in_force` true, until its `grace_period` has passed.',
    headers: ConfigRequestHeaders,
    success: { status: 200, schema: ConfigEnvelope },
    errors: [400],
    ifNoneMatch: true,
    tag: 'config',
  })
  async get(
    @CurrentCaller() caller: Caller,
    @RequestHeaders(ConfigRequestHeaders) headers: ConfigRequestHeaders,
  ): Promise<Answer<Envelope>> {
    const { envelope, shouldSendInFull } = await this.envelopes.getEnvelope(caller, headers['X-Client-Type']);
    const issued = new Date(envelope.issued_at);
    const response = shouldSendInFull || isOlder(headers['If-Modified-Since'], issued) ? withETagInFull : withETag;
    return response(envelope, `"${envelope.etag}"`, { ...HEADERS, 'last-modified': issued.toUTCString() });
  }
}

/**
 * Whether the client has an older envelope. HTTP dates have whole seconds. An invalid date is
 * ignored.
 */
const isOlder = (since: string | undefined, issued: Date): boolean =>
  Date.parse(since ?? '') < Math.floor(issued.getTime() / 1_000) * 1_000;
