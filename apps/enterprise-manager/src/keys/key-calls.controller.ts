import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { RequiresGateway } from '../gateways/requires-gateway.ts';
import { type Hangup, whileConnected } from '../revisions/hangup.ts';
import { KeyChanges, KeyChangesQuery, KeyResolve, ResolvedKey } from './key-calls.dto.ts';
import { KeyChangeTracker } from './key-change-tracker.ts';
import { KeyResolver } from './key-resolver.ts';

/** What gateways ask about virtual API keys, over HTTP. */
@Controller('gateway/v1/keys')
export class KeyCallsController {
  constructor(
    private readonly resolver: KeyResolver,
    private readonly changeTracker: KeyChangeTracker,
  ) {}

  @Post('resolve')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Resolve a virtual API key',
    description:
      'Whom a presented key speaks for. Everything that opens nothing is the same 404: unknown, disabled, revoked or expired keys, the secret before a rotation after its 24 hours, and keys of people who are not active. A revoked key is never answered later than one second after its revocation, by any replica; 503 where that cannot be known. A gateway that keeps answers stays within the same second when it uses an answer until `cache_seconds` after it asked, less `age_ms`.',
    success: { status: 200, schema: ResolvedKey },
    errors: [400, 404],
    tag: 'gateway calls',
  })
  resolve(@Body({ schema: KeyResolve }) { secret_sha256 }: KeyResolve): Promise<ResolvedKey> {
    return this.resolver.resolve(secret_sha256);
  }

  @Get('changes')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'List changed virtual API keys',
    description:
      'Names the keys that have changed after a version, and waits for a change where there is none yet. A gateway asks first without `after`, then always with the `version` of the last answer, and lets go of what it keeps about the keys that are named. That is sooner than the second of each answer, and does not replace it: a question whose answer never arrives says nothing.',
    success: { status: 200, schema: KeyChanges },
    errors: [400],
    tag: 'gateway calls',
  })
  async changes(
    @Query({ schema: KeyChangesQuery }) { after, wait }: KeyChangesQuery,
    @Req() request: Hangup,
  ): Promise<Answer<KeyChanges>> {
    const changes = await whileConnected(request, (disconnected) =>
      this.changeTracker.listChanges(after, wait * 1_000, disconnected),
    );
    return withHeaders(changes, { 'cache-control': 'no-store' });
  }
}
