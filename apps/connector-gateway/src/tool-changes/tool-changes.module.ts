import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { DataPlaneModule } from '../data-plane/data-plane.module.ts';
import { ToolChangesController } from './tool-changes.controller.ts';
import { ToolChangesRepository } from './tool-changes.repository.ts';
import { ToolChanges } from './tool-changes.service.ts';

/** The administration of the changes of pinned tools. */
@Module({
  imports: [AuditModule, DataPlaneModule],
  controllers: [ToolChangesController],
  providers: [ToolChanges, ToolChangesRepository],
})
export class ToolChangesModule {}
