import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, computeETag, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put, type Type } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import type { EntityKind } from './metadata.ts';
import { EntityMetadata, MetadataDocument } from './metadata.dto.ts';
import { MetadataService } from './metadata.service.ts';

/** Makes the controller for the metadata of one kind of entity. */
function createMetadataController(kind: EntityKind): Type {
  const idPrefix = kind === 'user' ? 'UserMetadata' : 'GroupMetadata';

  @Controller(`v1/${kind}s/:id/metadata`)
  class MetadataController {
    constructor(private readonly metadata: MetadataService) {}

    @Get()
    @Requires('admin', 'auditor')
    @Operation({
      id: `${idPrefix}_get`,
      summary: `Get ${kind} metadata`,
      success: { status: 200, schema: EntityMetadata, headers: ['ETag'] },
      errors: [400, 404],
      ifNoneMatch: true,
    })
    async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<EntityMetadata>> {
      const metadata = await this.metadata.get(kind, id);
      return withETag(metadata, computeETag(metadata));
    }

    @Put()
    @Requires('admin')
    @Operation({
      id: `${idPrefix}_put`,
      summary: `Put ${kind} metadata`,
      description: `Replaces the whole document. A provisioned ${kind} can have one too.`,
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
      return noContent({ etag: await this.metadata.put(caller, kind, id, body, ifMatch) });
    }

    @Delete()
    @Requires('admin')
    @Operation({
      id: `${idPrefix}_delete`,
      summary: `Delete ${kind} metadata`,
      description: 'Deleting absent metadata changes nothing.',
      success: { status: 204 },
      errors: [400, 404, 412],
      ifMatch: 'optional',
    })
    delete(
      @CurrentCaller() caller: Caller,
      @Param({ schema: IdPath }) { id }: IdPath,
      @IfMatch() ifMatch: string | undefined,
    ): Promise<void> {
      return this.metadata.delete(caller, kind, id, ifMatch);
    }
  }
  return MetadataController;
}

/** The operations on the metadata of users. */
export const UserMetadataController = createMetadataController('user');

/** The operations on the metadata of groups. */
export const GroupMetadataController = createMetadataController('group');
