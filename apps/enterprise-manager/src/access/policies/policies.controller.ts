import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import {
  ConnectorPolicy,
  GrantPath,
  PolicyDocumentWrite,
  PolicyGroupsWrite,
  PolicySimulation,
  PolicyVerdict,
} from './policies.dto.ts';
import { PoliciesService, type TaggedPolicy } from './policies.service.ts';
import { PolicySimulationsService } from './policy-simulations.service.ts';

/** Operations on connector policies. */
@Controller('v1/connectors/:id/policy')
export class PoliciesController {
  constructor(
    private readonly policies: PoliciesService,
    private readonly simulations: PolicySimulationsService,
  ) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get connector policy',
    success: { status: 200, schema: ConnectorPolicy },
    errors: [400, 404],
    ifNoneMatch: true,
    tag: 'policies',
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<ConnectorPolicy>> {
    return createResponse(await this.policies.get(id));
  }

  @Put('groups')
  @Requires('admin')
  @Operation({
    summary: "Replace a connector policy's granted user groups",
    success: { status: 200, schema: ConnectorPolicy, headers: ['ETag'] },
    errors: [400, 404, 409, 412, 413, 422, 428],
    ifMatch: 'required',
    tag: 'policies',
  })
  async replaceGroups(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: PolicyGroupsWrite }) { group_ids }: PolicyGroupsWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ConnectorPolicy>> {
    return createResponse(await this.policies.replaceGroups(caller, id, group_ids, ifMatch));
  }

  @Delete('groups/:group_id')
  @Requires('admin')
  @Operation({
    summary: "Revoke a user group's access to a connector",
    success: { status: 200, schema: ConnectorPolicy, headers: ['ETag'] },
    errors: [400, 404, 409],
    ifMatch: 'optional',
    tag: 'policies',
  })
  async revokeGroup(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GrantPath }) { id, group_id }: GrantPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ConnectorPolicy>> {
    return createResponse(await this.policies.revokeGroup(caller, id, group_id, ifMatch));
  }

  @Put('cedar-mode')
  @Requires('admin')
  @Operation({
    summary: 'Switch a connector policy to Cedar authoring mode',
    description:
      'The document is initially the compiled grants, so that decisions do not change until the document is replaced. A policy in Cedar mode does not change.',
    success: { status: 200, schema: ConnectorPolicy, headers: ['ETag'] },
    errors: [400, 404],
    ifMatch: 'optional',
    tag: 'policies',
  })
  async enterCedarMode(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ConnectorPolicy>> {
    return createResponse(await this.policies.enterCedarMode(caller, id, ifMatch));
  }

  @Delete('cedar-mode')
  @Requires('admin')
  @Operation({
    summary: 'Switch a connector policy back to structured authoring mode',
    description:
      'The groups that were granted before, and still exist, are granted again. The Cedar document is deleted. A policy in structured mode does not change.',
    success: { status: 200, schema: ConnectorPolicy, headers: ['ETag'] },
    errors: [400, 404],
    ifMatch: 'optional',
    tag: 'policies',
  })
  async leaveCedarMode(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ConnectorPolicy>> {
    return createResponse(await this.policies.leaveCedarMode(caller, id, ifMatch));
  }

  @Put('document')
  @Requires('admin')
  @Operation({
    summary: "Set a connector policy's Cedar document",
    description:
      'The document is validated in strict mode against the schema. Errors contain line and column. The document may mention this connector only, and existing groups and users. The policy must be in Cedar mode.',
    success: { status: 200, schema: ConnectorPolicy, headers: ['ETag'] },
    errors: [400, 404, 409, 413, 422],
    ifMatch: 'optional',
    tag: 'policies',
  })
  async setDocument(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: PolicyDocumentWrite }) { document }: PolicyDocumentWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ConnectorPolicy>> {
    return createResponse(await this.policies.setDocument(caller, id, document, ifMatch));
  }

  @Post('simulate')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Simulate a connector policy',
    description:
      'Decides as a gateway does, for a user or for a member of groups, with claims of a token. The response contains the policies that determined the decision. The operation changes and records nothing.',
    success: { status: 200, schema: PolicyVerdict },
    errors: [400, 404, 413, 422],
    tag: 'policies',
  })
  simulate(
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: PolicySimulation }) simulation: PolicySimulation,
  ): Promise<PolicyVerdict> {
    return this.simulations.simulate(id, simulation);
  }
}

const createResponse = ({ policy, etag }: TaggedPolicy) => withETag(policy, etag);
