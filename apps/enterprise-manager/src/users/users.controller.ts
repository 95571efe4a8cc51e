import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, etagOf, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { IdPath } from '../directory/text.ts';
import { User, UserListQuery, UserPage } from './users.dto.ts';
import { UsersService } from './users.service.ts';

/** The people of the directory over HTTP. */
@Controller('v1/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

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
    return withETag(user, etagOf(user));
  }
}
