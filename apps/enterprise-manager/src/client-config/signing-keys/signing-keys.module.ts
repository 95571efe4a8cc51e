import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { ClientConfigModule } from '../document/client-config.module.ts';
import { RevisionsModule } from '../../gateways/revisions/revisions.module.ts';
import { SigningKeyMaker } from './signing-key-maker.ts';
import { SigningKeyRing } from './signing-key-ring.ts';
import { SigningKeysController } from './signing-keys.controller.ts';
import { SigningKeysRepository } from './signing-keys.repository.ts';
import { SigningKeysService } from './signing-keys.service.ts';

/** The keys that sign for this service, and their rotation. */
@Module({
  imports: [AuditModule, ClientConfigModule, RevisionsModule],
  controllers: [SigningKeysController],
  providers: [SigningKeysService, SigningKeysRepository, SigningKeyMaker, SigningKeyRing],
  exports: [SigningKeyRing],
})
export class SigningKeysModule {}
