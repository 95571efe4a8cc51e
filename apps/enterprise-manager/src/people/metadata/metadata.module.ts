import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { GroupMetadataController } from './group-metadata.controller.ts';
import { MetadataRepository } from './metadata.repository.ts';
import { MetadataService } from './metadata.service.ts';
import { UserMetadataController } from './user-metadata.controller.ts';

/** Free JSON beside people and groups. */
@Module({
  imports: [AuditModule],
  controllers: [UserMetadataController, GroupMetadataController],
  providers: [MetadataService, MetadataRepository],
})
export class MetadataModule {}
