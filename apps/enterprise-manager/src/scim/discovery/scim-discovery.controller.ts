import { Operation } from '@gatehouse/service-kit/operation';
import { AuthenticatedBy } from '@gatehouse/service-kit/own-callers';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { JsonObject } from '../protocol/types.ts';
import { DOCUMENT_EXAMPLES } from '../http/scim-examples.ts';
import { createScimSuccess, createScimOperation } from '../http/scim-operations.ts';
import { DiscoveryQuery, DocumentPath, IssuerPath, ScimList, ScimResource } from '../http/scim.dto.ts';
import { SCIM_TOKEN, ScimCallers } from '../tokens/scim-callers.ts';
import { ScimDiscoveryService } from './scim-discovery.service.ts';

/** The documents that describe the SCIM endpoint of an issuer (RFC 7644 §4). */
@Controller('scim/:issuer_id/v2')
export class ScimDiscoveryController {
  constructor(private readonly discovery: ScimDiscoveryService) {}

  @Get('ServiceProviderConfig')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    createScimOperation({
      summary: 'SCIM: get service provider configuration',
      examples: DOCUMENT_EXAMPLES.configuration,
      success: createScimSuccess(200, ScimResource),
      errors: [403],
    }),
  )
  configuration(
    @Param({ schema: IssuerPath }) { issuer_id }: IssuerPath,
    @Query({ schema: DiscoveryQuery }) query: DiscoveryQuery,
  ): JsonObject {
    return this.discovery.getConfiguration(issuer_id, query);
  }

  @Get('ResourceTypes')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    createScimOperation({
      summary: 'SCIM: list resource types',
      examples: DOCUMENT_EXAMPLES.resourceTypes,
      success: createScimSuccess(200, ScimList),
      errors: [403],
    }),
  )
  resourceTypes(
    @Param({ schema: IssuerPath }) { issuer_id }: IssuerPath,
    @Query({ schema: DiscoveryQuery }) query: DiscoveryQuery,
  ): JsonObject {
    return this.discovery.listResourceTypes(issuer_id, query);
  }

  @Get('ResourceTypes/:id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    createScimOperation({
      summary: 'SCIM: get resource type',
      examples: DOCUMENT_EXAMPLES.resourceType,
      success: createScimSuccess(200, ScimResource),
      errors: [403, 404],
    }),
  )
  resourceType(
    @Param({ schema: DocumentPath }) { issuer_id, id }: DocumentPath,
    @Query({ schema: DiscoveryQuery }) query: DiscoveryQuery,
  ): JsonObject {
    return this.discovery.getResourceType(issuer_id, id, query);
  }

  @Get('Schemas')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    createScimOperation({
      summary: 'SCIM: list schemas',
      examples: DOCUMENT_EXAMPLES.schemas,
      success: createScimSuccess(200, ScimList),
      errors: [403],
    }),
  )
  schemas(
    @Param({ schema: IssuerPath }) { issuer_id }: IssuerPath,
    @Query({ schema: DiscoveryQuery }) query: DiscoveryQuery,
  ): JsonObject {
    return this.discovery.listSchemas(issuer_id, query);
  }

  @Get('Schemas/:id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    createScimOperation({
      summary: 'SCIM: get schema',
      examples: DOCUMENT_EXAMPLES.schema,
      success: createScimSuccess(200, ScimResource),
      errors: [403, 404],
    }),
  )
  schema(
    @Param({ schema: DocumentPath }) { issuer_id, id }: DocumentPath,
    @Query({ schema: DiscoveryQuery }) query: DiscoveryQuery,
  ): JsonObject {
    return this.discovery.getSchema(issuer_id, id, query);
  }
}
