import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { McpSessionPage, SessionListQuery, SessionPath } from './session-administration.dto.ts';
import { SessionAdministration } from './session-administration.service.ts';

/** The sessions of all users, for administrators. */
@Controller('v1/admin/sessions')
export class SessionAdministrationController {
  constructor(private readonly sessions: SessionAdministration) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List sessions',
    description:
      'Lists the open sessions of MCP clients at all replicas of the gateway, newest first. A client of the revision 2026-07-28 has no session.',
    success: { status: 200, schema: McpSessionPage },
    errors: [400],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: SessionListQuery }) query: SessionListQuery,
  ): Promise<McpSessionPage> {
    return this.sessions.list(caller, query);
  }

  @Delete(':id')
  @Requires('admin')
  @Operation({
    summary: 'End session',
    description:
      'Ends a session on all replicas within one second: its event streams and running requests end, and its client gets 404 and can begin a new session. To keep a user out, deactivate the user.',
    success: { status: 204 },
    errors: [400, 404],
  })
  end(@CurrentCaller() caller: Caller, @Param({ schema: SessionPath }) { id }: SessionPath): Promise<void> {
    return this.sessions.end(caller, id);
  }
}
