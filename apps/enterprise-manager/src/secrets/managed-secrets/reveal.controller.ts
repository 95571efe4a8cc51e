import { type Caller, CurrentCaller } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Param, Post } from '@nestjs/common';
import { RequiresGateway } from '../../gateways/settings/requires-gateway.ts';
import { RevealedSecret, RevealPath } from './managed-secrets.dto.ts';
import { RevealService } from './reveal.service.ts';

/** HTTP operation of gateways on secrets. */
@Controller('gateway/v1/gateways/:gateway_id/secrets')
export class RevealController {
  constructor(private readonly reveals: RevealService) {}

  @Post(':id/reveal')
  @RequiresGateway({ kinds: ['connector', 'ai'] })
  @Operation({
    summary: 'Reveal managed secret',
    description:
      'Returns the value of a secret that an available connector of this gateway uses, or that the entry of a gateway of the kind `ai` in `GATEWAYS` lists. Every other secret is 404, also one that only a draft uses. Each response is recorded in the audit trail.',
    success: { status: 200, schema: RevealedSecret, headers: ['Cache-Control'] },
    errors: [400, 404, 503],
    tag: 'gateway calls',
  })
  async reveal(
    @CurrentCaller() caller: Caller,
    @Param({ schema: RevealPath }) path: RevealPath,
  ): Promise<Answer<RevealedSecret>> {
    return withHeaders(await this.reveals.reveal(caller, path), { 'cache-control': 'no-store' });
  }
}
