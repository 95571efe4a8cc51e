import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, etagOf, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { EntityMetadata, MetadataDocument } from './metadata.dto.ts';
import { MetadataService } from './metadata.service.ts';

/** Metadata of a group over HTTP. */
@Controller('v1/groups/:id/metadata')
export class GroupMetadataController {
  constructor(private readonly metadata: MetadataService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get group metadata',
    success: { status: 200, schema: EntityMetadata, headers: ['ETag'] },
    errors: [400, 404],
    ifNoneMatch: true,
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<EntityMetadata>> {
    const metadata = await this.metadata.get('group', id);
    return withETag(metadata, etagOf(metadata));
  }

  @Put()
  @Requires('admin')
  @Operation({
    summary: 'Put group metadata',
    description: 'Replaces the whole document. A provisioned group can have one too.',
    success: { status: 204, headers: ['ETag'] },
    errors: [400, 404, 412, 413],
    keptNumbers: 'all',
    ifMatch: 'optional',
  })
  async put(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: MetadataDocument }) body: MetadataDocument,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.metadata.put(caller, 'group', id, body, ifMatch) });
  }

  @Delete()
  @Requires('admin')
  @Operation({
    summary: 'Delete group metadata',
    description: 'Nothing happens where there is none.',
    success: { status: 204 },
    errors: [400, 404, 412],
    ifMatch: 'optional',
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.metadata.delete(caller, 'group', id, ifMatch);
  }
}
