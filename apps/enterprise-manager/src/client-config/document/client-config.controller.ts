import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ClientConfig, KEPT_NUMBERS } from './client-config.dto.ts';
import { ClientConfigService } from './client-config.service.ts';

/** The routes of the configuration of clients, for administrators. */
@Controller('v1/client-config')
export class ClientConfigController {
  constructor(private readonly clientConfig: ClientConfigService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get client configuration',
    description: 'Returns the base document and the overrides of groups, as administrators wrote them.',
    success: { status: 200, schema: ClientConfig },
    errors: [],
    ifNoneMatch: true,
    tag: 'config',
  })
  async get(): Promise<Answer<ClientConfig>> {
    const { document, etag } = await this.clientConfig.get();
    return withETag(document, etag);
  }

  @Put()
  @Requires('admin')
  @Operation({
    summary: 'Put client configuration',
    description:
      'Replaces the base document and all overrides. Each directive for a user comes whole from one document: from the override with the lowest `precedence` among the user’s groups, otherwise from the base document. A directive that is `enforced` in any of these documents wins over a `default`. Clients receive the change at their next refresh. The deletion of a group deletes its override.',
    success: { status: 200, schema: ClientConfig, headers: ['ETag'] },
    errors: [422],
    keptNumbers: KEPT_NUMBERS,
    ifMatch: 'optional',
    tag: 'config',
  })
  async put(
    @CurrentCaller() caller: Caller,
    @Body({ schema: ClientConfig }) body: ClientConfig,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ClientConfig>> {
    const { document, etag } = await this.clientConfig.put(caller, body, ifMatch);
    return withETag(document, etag);
  }
}
