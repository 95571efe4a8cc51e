import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { RevisionsModule } from '../gateways/revisions/revisions.module.ts';
import { UsersModule } from '../people/users/users.module.ts';
import { KeyCallsController } from './key-calls.controller.ts';
import { KeyChangeTracker } from './key-change-tracker.ts';
import { KeyLookupRepository } from './key-lookup.repository.ts';
import { KeyResolver } from './key-resolver.ts';
import { KeyLastUseRecorder } from './key-last-use-recorder.ts';
import { KeysController } from './keys.controller.ts';
import { KeysRepository } from './keys.repository.ts';
import { KeysService } from './keys.service.ts';
import { UserKeysController } from './user-keys.controller.ts';

/** Virtual API keys: management by users and administrators, resolution for gateways. */
@Module({
  imports: [AuditModule, RevisionsModule, UsersModule],
  controllers: [KeysController, UserKeysController, KeyCallsController],
  providers: [KeysService, KeysRepository, KeyResolver, KeyChangeTracker, KeyLookupRepository, KeyLastUseRecorder],
  exports: [KeyLastUseRecorder],
})
export class KeysModule {}
