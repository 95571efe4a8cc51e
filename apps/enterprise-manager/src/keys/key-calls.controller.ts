import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { RequiresGateway } from '../gateways/settings/requires-gateway.ts';
import { type ClientConnection, runWhileConnected } from '../gateways/revisions/client-connection.ts';
import { ChangesQuery } from '../gateways/revisions/changes.dto.ts';
import { KeyChanges, KeyResolve, ResolvedKey } from './key-calls.dto.ts';
import { KeyChangeTracker } from './key-change-tracker.ts';
import { KeyResolver } from './key-resolver.ts';

/** The operations of AI gateways on virtual API keys. */
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
      'Returns the key that has this secret, and its owner. Every unusable secret gets the same 404: the secret of an unknown, disabled, revoked or expired key, a previous secret after its 24 hours, and a secret of a user who is not active. No replica returns a revoked key later than one second after its revocation; a replica that cannot guarantee this answers 503. A gateway that caches responses keeps this guarantee when it uses a response until `cache_seconds` after its request, minus `age_ms`.',
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
      'Returns the keys that have changed after a version. If there are none, the request waits for a change (long poll). A gateway sends its first request without `after` and each further one with the `version` of the last response, and removes the returned keys from its cache. This invalidates keys earlier than `cache_seconds`, but does not replace it: a gateway learns nothing from a response that does not arrive.',
    success: { status: 200, schema: KeyChanges },
    errors: [400],
    tag: 'gateway calls',
  })
  async changes(
    @Query({ schema: ChangesQuery }) { after, wait }: ChangesQuery,
    @Req() request: ClientConnection,
  ): Promise<Answer<KeyChanges>> {
    const changes = await runWhileConnected(request, (disconnected) =>
      this.changeTracker.listChanges(after, wait * 1_000, disconnected),
    );
    return withHeaders(changes, { 'cache-control': 'no-store' });
  }
}
