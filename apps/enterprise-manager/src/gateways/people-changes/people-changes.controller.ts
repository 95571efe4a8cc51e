import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query, Req } from '@nestjs/common';
import { RequiresGateway } from '../settings/requires-gateway.ts';
import { type ClientConnection, runWhileConnected } from '../revisions/client-connection.ts';
import { PeopleChanges, PeopleChangesQuery } from './people-changes.dto.ts';
import { PeopleChangesService } from './people-changes.service.ts';

/** The HTTP API by which other services learn about inactive users. */
@Controller('gateway/v1/people')
export class PeopleChangesController {
  constructor(private readonly people: PeopleChangesService) {}

  @Get('changes')
  @RequiresGateway({ kinds: ['connector', 'ai', 'management'] })
  @Operation({
    summary: 'List changed people',
    description:
      'Lists the users whose directory entry was deactivated, removed or activated after a version. Without such a change, the request waits up to `wait` seconds for one. A service sends the first request without `after`, and repeats it with `after` and `wait=0` until `people` and `bindings` are empty. Then it knows all inactive users, and continues with the `version` of the last response. A service without a response for 60 s refuses all users.',
    success: { status: 200, schema: PeopleChanges },
    errors: [400],
    tag: 'gateway calls',
  })
  async changes(
    @Query({ schema: PeopleChangesQuery }) { after, wait }: PeopleChangesQuery,
    @Req() request: ClientConnection,
  ): Promise<Answer<PeopleChanges>> {
    const changes = await runWhileConnected(request, (disconnected) =>
      this.people.listChanges(after, wait * 1_000, disconnected),
    );
    return withHeaders(changes, { 'cache-control': 'no-store' });
  }
}
