import type { AIPolicy as StoredPolicy } from '@gatehouse/ai-resources/resource';
import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { createUncheckedSchema } from '@gatehouse/service-kit/openapi-schemas';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { AIPolicy, AIPolicyList, AIPolicyPatch, PolicyListQuery, PolicyPath } from './policies.dto.ts';
import { formatETag, PoliciesService, type PolicyListAnswer } from './policies.service.ts';

/** Operations on the policies of the namespace. */
@Controller('v1/policies')
export class PoliciesController {
  constructor(private readonly policies: PoliciesService) {}

  @Get()
  @Requires('policyEditor', 'admin')
  @Operation({
    summary: 'List AIPolicies in the configured namespace',
    description:
      'The policies are sorted by name. A page has at most 8 MiB of policies, and `gatewayRef` leaves policies out after the page was cut, so that a page can have fewer items than `limit`; continue until `nextPageToken` is absent. A page token is valid for 15 minutes, for the same filters and the same caller.',
    success: { status: 200, schema: AIPolicyList },
    errors: [400, 429, 503],
  })
  list(@CurrentCaller() caller: Caller, @Query({ schema: PolicyListQuery }) query: PolicyListQuery): PolicyListAnswer {
    return this.policies.list(caller, query);
  }

  @Post()
  @Requires('admin')
  @Operation({
    summary: 'Create a new AIPolicy',
    description:
      'The namespace, the status and the metadata that the server sets are ignored. A repeated name answers 409.',
    success: { status: 201, schema: AIPolicy, headers: ['ETag', 'Location'] },
    errors: [400, 409, 422, 429, 503],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createUncheckedSchema(AIPolicy) }) body: unknown,
  ): Promise<Answer<StoredPolicy>> {
    const policy = await this.policies.create(caller, body);
    return withETag(policy, formatETag(policy), { location: `/v1/policies/${policy.metadata.name}` });
  }

  @Get(':name')
  @Requires('policyEditor', 'admin')
  @Operation({
    summary: 'Get a single AIPolicy by name',
    success: { status: 200, schema: AIPolicy, headers: ['ETag'] },
    errors: [404, 429, 503],
    ifNoneMatch: true,
  })
  get(@Param({ schema: PolicyPath }) { name }: PolicyPath): Answer<StoredPolicy> {
    const policy = this.policies.get(name);
    return withETag(policy, formatETag(policy));
  }

  @Patch(':name')
  @Requires('policyEditor', 'admin')
  @Operation({
    summary: 'Update an AIPolicy using JSON merge patch',
    description:
      'A merge patch (RFC 7396) of `spec.description`, `spec.principalMatchers` and `spec.mcpPolicy`. A list replaces the stored list. `status` and `metadata.resourceVersion` are ignored.',
    success: { status: 200, schema: AIPolicy, headers: ['ETag'] },
    errors: [400, 404, 412, 422, 428, 429, 503],
    ifMatch: 'required',
    bodyContentTypes: ['application/json', 'application/merge-patch+json'],
  })
  async patch(
    @CurrentCaller() caller: Caller,
    @Param({ schema: PolicyPath }) { name }: PolicyPath,
    @Body({ schema: createUncheckedSchema(AIPolicyPatch) }) body: unknown,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<StoredPolicy>> {
    const policy = await this.policies.patch(caller, name, body, ifMatch);
    return withETag(policy, formatETag(policy));
  }

  @Delete(':name')
  @Requires('admin')
  @Operation({
    summary: 'Delete an AIPolicy',
    success: { status: 204 },
    errors: [404, 412, 428, 429, 503],
    ifMatch: 'required',
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: PolicyPath }) { name }: PolicyPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.policies.delete(caller, name, ifMatch);
  }
}
