import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { ActivePeopleModule } from '../deactivation/active-people.module.ts';
import { FirstSignIns } from './first-sign-ins.ts';
import { People } from './people.service.ts';
import { UserActivation } from './user-activation.service.ts';
import { UserSeeding } from './user-seeding.ts';
import { UsersController } from './users.controller.ts';
import { UsersRepository } from './users.repository.ts';
import { UsersService } from './users.service.ts';

/** The people of the directory. */
@Module({
  imports: [AuditModule, ActivePeopleModule],
  controllers: [UsersController],
  providers: [UsersService, UsersRepository, UserActivation, UserSeeding, People, FirstSignIns],
  exports: [UsersRepository, UsersService, People],
})
export class UsersModule {}
