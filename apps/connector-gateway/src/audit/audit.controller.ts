import { AuditEventListQuery, AuditEventPage } from '@gatehouse/audit/audit.dto';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query } from '@nestjs/common';

/** The read-only route of the audit trail. */
@Controller('v1/audit-events')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List audit events',
    description:
      'Lists every administrative change at this gateway and every request at its control plane that was answered 403, newest first.',
    success: { status: 200, schema: AuditEventPage },
    errors: [400],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: AuditEventListQuery }) query: AuditEventListQuery,
  ): Promise<AuditEventPage> {
    return this.audit.list(caller, query);
  }
}
