import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { ClientConfigController } from './client-config.controller.ts';
import { ClientConfigRepository } from './client-config.repository.ts';
import { ClientConfigService } from './client-config.service.ts';

/** The configuration of clients that administrators write. */
@Module({
  imports: [AuditModule],
  controllers: [ClientConfigController],
  providers: [ClientConfigService, ClientConfigRepository],
  exports: [ClientConfigRepository],
})
export class ClientConfigModule {}
