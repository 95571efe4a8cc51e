import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { IdPath } from '../directory/text.ts';
import { ConnectorPolicy, GrantPath, PolicyGroupsWrite } from './policies.dto.ts';
import { PoliciesService, type TaggedPolicy } from './policies.service.ts';

/** Who may use a connector, over HTTP. */
@Controller('v1/connectors/:id/policy')
export class PoliciesController {
  constructor(private readonly policies: PoliciesService) {}

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
    return answer(await this.policies.get(id));
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
    return answer(await this.policies.replaceGroups(caller, id, group_ids, ifMatch));
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
    return answer(await this.policies.revokeGroup(caller, id, group_id, ifMatch));
  }
}

const answer = ({ policy, etag }: TaggedPolicy) => withETag(policy, etag);
