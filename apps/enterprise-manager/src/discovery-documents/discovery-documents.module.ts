import { Module } from '@nestjs/common';
import { DiscoveryDocumentsController } from './discovery-documents.controller.ts';
import { DiscoveryDocumentsService } from './discovery-documents.service.ts';

/** Where clients begin, and the keys they verify with. */
@Module({ controllers: [DiscoveryDocumentsController], providers: [DiscoveryDocumentsService] })
export class DiscoveryDocumentsModule {}
