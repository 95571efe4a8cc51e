import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { DataPlaneModule } from '../data-plane/data-plane.module.ts';
import { AdministeredSessionsRepository } from './administered-sessions.repository.ts';
import { SessionAdministrationController } from './session-administration.controller.ts';
import { SessionAdministration } from './session-administration.service.ts';

/** The administration of the sessions of all users. */
@Module({
  imports: [AuditModule, DataPlaneModule],
  controllers: [SessionAdministrationController],
  providers: [SessionAdministration, AdministeredSessionsRepository],
})
export class SessionAdministrationModule {}
