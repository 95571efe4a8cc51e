import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, etagOf, withETag, withETagInFull } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { RequestHeaders } from '@gatehouse/service-kit/request-headers';
import type { ConfigEnvelope as Envelope } from '@gatehouse/signed-config/envelope';
import { Controller, Get, Headers } from '@nestjs/common';
import { ConfigEnvelope, ConfigRequestHeaders } from './config-envelope.dto.ts';
import { ConfigEnvelopeService } from './config-envelope.service.ts';

/** Nobody but the caller's client may keep it, and it asks every time. */
const HEADERS = { 'cache-control': 'private, no-cache', vary: 'Authorization, X-Client-Type' };

/** The signed configuration, over HTTP, for clients. */
@Controller('api/v1beta/config')
export class ConfigEnvelopeController {
  constructor(private readonly envelopes: ConfigEnvelopeService) {}

  @Get()
  @Requires('user')
  @Operation({
    summary: 'Get enterprise configuration',
    description:
      'What the caller’s client is configured with, by the caller’s groups, signed for this person and this type of client with a key of `/.well-known/jwks.json`. The ETag is of one issue of the envelope: 304 is answered only before half of its lifetime, then a new one is sent; also to `If-None-Match: *`, which does not say what the client has. While the database is away the last known configuration is sent with `degraded_mode` until its `grace_period` is over.',
    headers: ConfigRequestHeaders,
    success: { status: 200, schema: ConfigEnvelope },
    errors: [400],
    ifNoneMatch: true,
    tag: 'config',
  })
  async get(
    @CurrentCaller() caller: Caller,
    @RequestHeaders(ConfigRequestHeaders) headers: ConfigRequestHeaders,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
  ): Promise<Answer<Envelope>> {
    const { envelope, degraded } = await this.envelopes.envelopeFor(caller, headers['X-Client-Type']);
    const answer = degraded || ifNoneMatch?.trim() === '*' ? withETagInFull : withETag;
    return answer(envelope, etagOf(envelope.signature), HEADERS);
  }
}
