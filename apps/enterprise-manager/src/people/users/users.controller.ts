import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, computeETag, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { UserActivation } from './user-activation.service.ts';
import { User, UserListQuery, UserPage } from './users.dto.ts';
import { UsersService } from './users.service.ts';

/** The operations on the users of the directory. */
@Controller('v1/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly activation: UserActivation,
  ) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({ summary: 'List users', success: { status: 200, schema: UserPage }, errors: [400] })
  list(@CurrentCaller() caller: Caller, @Query({ schema: UserListQuery }) query: UserListQuery): Promise<UserPage> {
    return this.users.list(caller, query);
  }

  @Get(':id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get user',
    success: { status: 200, schema: User, headers: ['ETag'] },
    errors: [400, 404],
    ifNoneMatch: true,
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<User>> {
    const user = await this.users.get(id);
    return withETag(user, computeETag(user));
  }

  @Post(':id/deactivate')
  @Requires('admin')
  @Operation({
    summary: 'Deactivate user',
    description:
      'Ends all access of the user and disables the virtual API keys of the user at once. A user provisioned by SCIM is 409, because its provisioning directory sets `active`; so is the caller’s own entry.',
    success: { status: 200, schema: User, headers: ['ETag'] },
    errors: [400, 404, 409],
  })
  async deactivate(@CurrentCaller() caller: Caller, @Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<User>> {
    const user = await this.activation.set(caller, id, false);
    return withETag(user, computeETag(user));
  }

  @Post(':id/activate')
  @Requires('admin')
  @Operation({
    summary: 'Activate user',
    description:
      'Reverts a deactivation. Keys that the deactivation disabled are enabled again; keys that the user or an administrator disabled stay disabled. A user provisioned by SCIM is 409.',
    success: { status: 200, schema: User, headers: ['ETag'] },
    errors: [400, 404, 409],
  })
  async activate(@CurrentCaller() caller: Caller, @Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<User>> {
    const user = await this.activation.set(caller, id, true);
    return withETag(user, computeETag(user));
  }
}
