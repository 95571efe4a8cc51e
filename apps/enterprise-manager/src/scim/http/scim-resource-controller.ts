import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { type Answer, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { AuthenticatedBy, CurrentOwnCaller } from '@gatehouse/service-kit/own-callers';
import type { OperationExamples } from '@gatehouse/service-kit/route-facts';
import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Put, Query, type Type } from '@nestjs/common';
import type { ZodType } from 'zod';
import type { JsonObject, JsonText, ResourceType } from '../protocol/types.ts';
import { SCIM_TOKEN, ScimCallers } from '../tokens/scim-callers.ts';
import { scimOperation, scimSuccess } from './scim-operations.ts';
import { ScimResources, ScimServices } from './scim-resources.ts';
import type { ScimRow, ScimStore } from './scim-store.ts';
import {
  IssuerPath,
  ListQuery,
  ProjectionQuery,
  ResourcePath,
  ScimList,
  ScimPatchBody,
  ScimResource,
  SearchRequest,
} from './scim.dto.ts';

/** The parts of the OpenAPI document that differ between users and groups. */
export interface ScimResourceDocument {
  resourceType: ResourceType;
  /** Schema of the body of POST and PUT. */
  body: ZodType<JsonObject>;
  descriptions: Partial<Record<'list' | 'create' | 'replace' | 'patch' | 'delete', string>>;
  examples: Record<'list' | 'search' | 'write' | 'read' | 'patch', OperationExamples>;
  /** Statuses of a PATCH without a body. */
  patchAlsoEmpty?: readonly number[];
  /** Whether writes can be 403. */
  canForbidWrites: boolean;
}

/** Makes the SCIM operations on the resources of one type (RFC 7644 §3). */
export function scimResourceController<Row extends ScimRow, Input, Change>(
  { resourceType, body, descriptions, examples, patchAlsoEmpty, canForbidWrites }: ScimResourceDocument,
  Store: Type<ScimStore<Row, Input, Change>>,
): Type {
  const kind = resourceType.toLowerCase();
  const errors = (...statuses: number[]) => (canForbidWrites ? [...statuses, 403] : statuses).sort();
  const description = (operation: keyof typeof descriptions) => {
    const text = descriptions[operation];
    return text === undefined ? {} : { description: text };
  };

  @Controller(`scim/:issuer_id/v2/${resourceType}s`)
  class ScimResourceController {
    private readonly resources: ScimResources<Row, Input, Change>;

    constructor(@Inject(Store) store: ScimStore<Row, Input, Change>, services: ScimServices) {
      this.resources = new ScimResources(store, services);
    }

    @Get()
    @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
    @Operation(
      scimOperation({
        summary: `SCIM: list ${kind}s`,
        ...description('list'),
        examples: examples.list,
        success: scimSuccess(200, ScimList),
        errors: [400],
      }),
    )
    list(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: IssuerPath }) _path: IssuerPath,
      @Query({ schema: ListQuery }) query: ListQuery,
    ): Promise<Buffer> {
      return this.resources.list(caller, query);
    }

    @Post('.search')
    @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
    @Operation(
      scimOperation({
        summary: `SCIM: search ${kind}s`,
        examples: examples.search,
        success: scimSuccess(200, ScimList),
        errors: [400],
      }),
    )
    search(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: IssuerPath }) _path: IssuerPath,
      @Body({ schema: SearchRequest }) search: SearchRequest,
    ): Promise<Buffer> {
      return this.resources.list(caller, search);
    }

    @Post()
    @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
    @Operation(
      scimOperation({
        summary: `SCIM: create ${kind}`,
        ...description('create'),
        examples: examples.write,
        success: scimSuccess(201, ScimResource, ['Location', 'ETag']),
        errors: errors(400, 409),
      }),
    )
    async create(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: IssuerPath }) _path: IssuerPath,
      @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
      @Body({ schema: body }) input: JsonObject,
    ): Promise<Answer<JsonText>> {
      const { resource, etag, location } = await this.resources.create(caller, input, query);
      return withETag(resource, etag, { location });
    }

    @Get(':id')
    @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
    @Operation(
      scimOperation({
        summary: `SCIM: get ${kind}`,
        examples: examples.read,
        success: scimSuccess(200, ScimResource),
        errors: [400, 404],
        ifNoneMatch: true,
      }),
    )
    async get(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: ResourcePath }) { id }: ResourcePath,
      @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
    ): Promise<Answer<JsonText>> {
      const { resource, etag } = await this.resources.get(caller, id, query);
      return withETag(resource, etag);
    }

    @Put(':id')
    @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
    @Operation(
      scimOperation({
        summary: `SCIM: replace ${kind}`,
        ...description('replace'),
        examples: examples.write,
        success: scimSuccess(200, ScimResource, ['ETag']),
        errors: errors(400, 404, 409),
        ifMatch: 'optional',
      }),
    )
    async replace(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: ResourcePath }) { id }: ResourcePath,
      @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
      @Body({ schema: body }) input: JsonObject,
      @IfMatch() ifMatch: string | undefined,
    ): Promise<Answer<JsonText>> {
      const { resource, etag } = await this.resources.replace(caller, id, input, { ifMatch, query });
      return withETag(resource, etag);
    }

    @Patch(':id')
    @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
    @Operation(
      scimOperation({
        summary: `SCIM: patch ${kind}`,
        ...description('patch'),
        examples: examples.patch,
        success: {
          ...scimSuccess(200, ScimResource, ['ETag']),
          ...(patchAlsoEmpty && { alsoEmpty: patchAlsoEmpty }),
        },
        errors: errors(400, 404, 409),
        ifMatch: 'optional',
      }),
    )
    async patch(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: ResourcePath }) { id }: ResourcePath,
      @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
      @Body({ schema: ScimPatchBody }) operations: ScimPatchBody,
      @IfMatch() ifMatch: string | undefined,
    ): Promise<Answer<JsonText | undefined>> {
      const { resource, etag } = await this.resources.patch(caller, id, operations, { ifMatch, query });
      return resource === undefined ? noContent({ etag }) : withETag(resource, etag);
    }

    @Delete(':id')
    @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
    @Operation(
      scimOperation({
        summary: `SCIM: delete ${kind}`,
        ...description('delete'),
        success: { status: 204 },
        errors: errors(404),
        ifMatch: 'optional',
      }),
    )
    delete(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: ResourcePath }) { id }: ResourcePath,
      @IfMatch() ifMatch: string | undefined,
    ): Promise<void> {
      return this.resources.delete(caller, id, ifMatch);
    }
  }
  // The operation ids of the OpenAPI document begin with the name of the class.
  return Object.defineProperty(ScimResourceController, 'name', { value: `Scim${resourceType}sController` });
}
