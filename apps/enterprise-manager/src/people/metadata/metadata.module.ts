import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { GroupMetadataController, UserMetadataController } from './metadata.controllers.ts';
import { MetadataRepository } from './metadata.repository.ts';
import { MetadataService } from './metadata.service.ts';

/** JSON documents that administrators attach to users and groups. */
@Module({
  imports: [AuditModule],
  controllers: [UserMetadataController, GroupMetadataController],
  providers: [MetadataService, MetadataRepository],
})
export class MetadataModule {}
