import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { type Answer, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { CurrentOwnCaller } from '@gatehouse/service-kit/own-callers';
import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Put, Query, type Type } from '@nestjs/common';
import type { JsonObject, JsonText } from '../protocol/types.ts';
import { type ScimResourceDocument, createResourceOperations } from './scim-resource-operations.ts';
import { ScimResources, ScimServices } from './scim-resources.ts';
import type { ScimRow, ScimStore } from './scim-store.ts';
import {
  IssuerPath,
  ListQuery,
  ProjectionQuery,
  ResourcePath,
  ScimPatchBody,
  SearchRequest,
} from '../http/scim.dto.ts';

/** Makes the SCIM operations on the resources of one type (RFC 7644 §3). */
export const createScimControllers = <Row extends ScimRow, Input, Change>(
  document: ScimResourceDocument,
  Store: Type<ScimStore<Row, Input, Change>>,
): Type[] => [createReadController(document, Store), createWriteController(document, Store)];

function createReadController<Row extends ScimRow, Input, Change>(
  document: ScimResourceDocument,
  Store: Type<ScimStore<Row, Input, Change>>,
): Type {
  const operations = createResourceOperations(document);

  @Controller(`scim/:issuer_id/v2/${document.resourceType}s`)
  class ScimReadController {
    private readonly resources: ScimResources<Row, Input, Change>;

    constructor(@Inject(Store) store: ScimStore<Row, Input, Change>, services: ScimServices) {
      this.resources = new ScimResources(store, services);
    }

    @Get()
    @operations.list
    list(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: IssuerPath }) _path: IssuerPath,
      @Query({ schema: ListQuery }) query: ListQuery,
    ): Promise<Buffer> {
      return this.resources.list(caller, query);
    }

    @Post('.search')
    @operations.search
    search(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: IssuerPath }) _path: IssuerPath,
      @Body({ schema: SearchRequest }) search: SearchRequest,
    ): Promise<Buffer> {
      return this.resources.list(caller, search);
    }

    @Get(':id')
    @operations.get
    async get(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: ResourcePath }) { id }: ResourcePath,
      @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
    ): Promise<Answer<JsonText>> {
      const { resource, etag } = await this.resources.get(caller, id, query);
      return withETag(resource, etag);
    }
  }
  return ScimReadController;
}

function createWriteController<Row extends ScimRow, Input, Change>(
  document: ScimResourceDocument,
  Store: Type<ScimStore<Row, Input, Change>>,
): Type {
  const operations = createResourceOperations(document);
  const { body: schema } = document;

  @Controller(`scim/:issuer_id/v2/${document.resourceType}s`)
  class ScimWriteController {
    private readonly resources: ScimResources<Row, Input, Change>;

    constructor(@Inject(Store) store: ScimStore<Row, Input, Change>, services: ScimServices) {
      this.resources = new ScimResources(store, services);
    }

    @Post()
    @operations.create
    async create(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: IssuerPath }) _path: IssuerPath,
      @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
      @Body({ schema }) body: JsonObject,
    ): Promise<Answer<JsonText>> {
      const { resource, etag, location } = await this.resources.create(caller, body, query);
      return withETag(resource, etag, { location });
    }

    @Put(':id')
    @operations.replace
    async replace(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: ResourcePath }) { id }: ResourcePath,
      @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
      @Body({ schema }) body: JsonObject,
      @IfMatch() ifMatch: string | undefined,
    ): Promise<Answer<JsonText>> {
      const { resource, etag } = await this.resources.replace(caller, id, body, { ifMatch, query });
      return withETag(resource, etag);
    }

    @Patch(':id')
    @operations.patch
    async patch(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: ResourcePath }) { id }: ResourcePath,
      @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
      @Body({ schema: ScimPatchBody }) body: ScimPatchBody,
      @IfMatch() ifMatch: string | undefined,
    ): Promise<Answer<JsonText | undefined>> {
      const { resource, etag } = await this.resources.patch(caller, id, body, { ifMatch, query });
      return resource === undefined ? noContent({ etag }) : withETag(resource, etag);
    }

    @Delete(':id')
    @operations.delete
    delete(
      @CurrentOwnCaller() caller: OwnCaller,
      @Param({ schema: ResourcePath }) { id }: ResourcePath,
      @IfMatch() ifMatch: string | undefined,
    ): Promise<void> {
      return this.resources.delete(caller, id, ifMatch);
    }
  }
  return ScimWriteController;
}
