import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ToolChange, ToolChangeListQuery, ToolChangePage, ToolChangePath } from './tool-changes.dto.ts';
import { ToolChanges } from './tool-changes.service.ts';

/** The changes of pinned tools, for administrators. */
@Controller('v1/admin/tool-changes')
export class ToolChangesController {
  constructor(private readonly changes: ToolChanges) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List tool changes',
    description:
      'Lists the definitions of tools that servers have changed or added since their tools are pinned (`content.tool_pinning` of the settings), newest first.',
    success: { status: 200, schema: ToolChangePage },
    errors: [400],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ToolChangeListQuery }) query: ToolChangeListQuery,
  ): Promise<ToolChangePage> {
    return this.changes.list(caller, query);
  }

  @Post(':id/accept')
  @HttpCode(200)
  @Requires('admin')
  @Operation({
    summary: 'Accept tool change',
    description:
      'Accepts a definition for all users. Every replica offers the tool with it within one second. Earlier definitions stay accepted. A rejected definition can be accepted later; an accepted one stays as it is.',
    success: { status: 200, schema: ToolChange },
    errors: [400, 404],
  })
  accept(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ToolChangePath }) { id }: ToolChangePath,
  ): Promise<ToolChange> {
    return this.changes.accept(caller, id);
  }

  @Post(':id/reject')
  @HttpCode(200)
  @Requires('admin')
  @Operation({
    summary: 'Reject tool change',
    description:
      'Rejects a definition: the tool is not offered with it at any replica, also where changes are only recorded. An accepted definition cannot be rejected any more: 409; the policy of the connector can forbid the tool.',
    success: { status: 200, schema: ToolChange },
    errors: [400, 404, 409],
  })
  reject(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ToolChangePath }) { id }: ToolChangePath,
  ): Promise<ToolChange> {
    return this.changes.reject(caller, id);
  }
}
