import { Module } from '@nestjs/common';
import { SigningKeysModule } from '../client-config/signing-keys/signing-keys.module.ts';
import { DiscoveryDocumentsController } from './discovery-documents.controller.ts';
import { DiscoveryDocumentsService } from './discovery-documents.service.ts';

/** The public documents: client discovery and the key set. */
@Module({
  imports: [SigningKeysModule],
  controllers: [DiscoveryDocumentsController],
  providers: [DiscoveryDocumentsService],
})
export class DiscoveryDocumentsModule {}
