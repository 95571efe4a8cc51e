import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { InactiveUserCheckModule } from '../deactivation/inactive-user-check.module.ts';
import { DirectoryEntries } from './directory-entries.service.ts';
import { JitProvisioning } from './jit-provisioning.ts';
import { UserActivation } from './user-activation.service.ts';
import { UserSeeding } from './user-seeding.ts';
import { UsersController } from './users.controller.ts';
import { UsersRepository } from './users.repository.ts';
import { UsersService } from './users.service.ts';

/** The users of the directory, and the lookup of a caller's directory entry. */
@Module({
  imports: [AuditModule, InactiveUserCheckModule],
  controllers: [UsersController],
  providers: [UsersService, UsersRepository, UserActivation, UserSeeding, DirectoryEntries, JitProvisioning],
  exports: [UsersRepository, UsersService, DirectoryEntries],
})
export class UsersModule {}
