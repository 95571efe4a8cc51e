import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query, Req } from '@nestjs/common';
import { RequiresGateway } from '../settings/requires-gateway.ts';
import { type Hangup, whileConnected } from '../revisions/hangup.ts';
import { PeopleChanges, PeopleChangesQuery } from './people-changes.dto.ts';
import { PeopleChangesService } from './people-changes.service.ts';

/** What other services ask about people, over HTTP. */
@Controller('gateway/v1/people')
export class PeopleChangesController {
  constructor(private readonly people: PeopleChangesService) {}

  @Get('changes')
  @RequiresGateway({ kinds: ['connector', 'ai', 'management'] })
  @Operation({
    summary: 'List changed people',
    description:
      'Names the people whose entry was deactivated, removed or activated after a version, and waits for a change where there is none yet. A service asks first without `after`, and again with `wait=0` until neither `people` nor `bindings` names anything; then it knows every inactive person, and asks with the `version` of the last answer. A service that had no answer for 60 s refuses every person.',
    success: { status: 200, schema: PeopleChanges },
    errors: [400],
    tag: 'gateway calls',
  })
  async changes(
    @Query({ schema: PeopleChangesQuery }) { after, wait }: PeopleChangesQuery,
    @Req() request: Hangup,
  ): Promise<Answer<PeopleChanges>> {
    const changes = await whileConnected(request, (gone) => this.people.changes(after, wait * 1_000, gone));
    return withHeaders(changes, { 'cache-control': 'no-store' });
  }
}
