import { AdmitsInactive, type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, withETag, withETagInFull } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { RequestHeaders } from '@gatehouse/service-kit/request-headers';
import type { ConfigEnvelope as Envelope } from '@gatehouse/signed-config/envelope';
import { Controller, Get } from '@nestjs/common';
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
  // They get the base configuration; and it is also answered while the database is away.
  @AdmitsInactive()
  @Operation({
    summary: 'Get enterprise configuration',
    description:
      'What the caller’s client is configured with, by the caller’s groups, signed for this person and this type of client with a key of `/.well-known/jwks.json`. The ETag is the `etag` of the envelope in quotes, so all issues of one content share it; from half of its lifetime on a new issue is sent. `Last-Modified` is `issued_at`: a client that sends it back as `If-Modified-Since` beside `If-None-Match` is never answered 304 when it has an older issue. While the database is away the last known configuration is sent in full, with `degraded_mode.in_force` true, until its `grace_period` is over.',
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
    const { envelope, inFull } = await this.envelopes.envelopeFor(caller, headers['X-Client-Type']);
    const issued = new Date(envelope.issued_at);
    const answer = inFull || isOlder(headers['If-Modified-Since'], issued) ? withETagInFull : withETag;
    return answer(envelope, `"${envelope.etag}"`, { ...HEADERS, 'last-modified': issued.toUTCString() });
  }
}

/**
 * Whether the client has an older issue. HTTP dates have whole seconds; one that cannot be read
 * says nothing.
 */
const isOlder = (since: string | undefined, issued: Date): boolean =>
  Date.parse(since ?? '') < Math.floor(issued.getTime() / 1_000) * 1_000;
