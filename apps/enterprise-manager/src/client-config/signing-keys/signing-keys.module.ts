import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { ClientConfigModule } from '../document/client-config.module.ts';
import { RevisionsModule } from '../../gateways/revisions/revisions.module.ts';
import { SigningKeyFactory } from './signing-key-factory.ts';
import { SigningKeyRing } from './signing-key-ring.ts';
import { SigningKeysController } from './signing-keys.controller.ts';
import { SigningKeysRepository } from './signing-keys.repository.ts';
import { SigningKeysService } from './signing-keys.service.ts';

/** The signing keys of this service and their rotation. */
@Module({
  imports: [AuditModule, ClientConfigModule, RevisionsModule],
  controllers: [SigningKeysController],
  providers: [SigningKeysService, SigningKeysRepository, SigningKeyFactory, SigningKeyRing],
  exports: [SigningKeyRing],
})
export class SigningKeysModule {}
