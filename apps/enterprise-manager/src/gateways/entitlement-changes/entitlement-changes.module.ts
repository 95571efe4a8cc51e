import { Module } from '@nestjs/common';
import { RevisionsModule } from '../revisions/revisions.module.ts';
import { GatewaysModule } from '../settings/gateways.module.ts';
import { EntitlementChangesController } from './entitlement-changes.controller.ts';
import { EntitlementChangesService } from './entitlement-changes.service.ts';

/** Informs connector gateways about changed entitlements. */
@Module({
  imports: [RevisionsModule, GatewaysModule],
  controllers: [EntitlementChangesController],
  providers: [EntitlementChangesService],
})
export class EntitlementChangesModule {}
