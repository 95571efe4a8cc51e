import { Module } from '@nestjs/common';
import { GroupsModule } from '../groups/groups.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { MeController } from './me.controller.ts';
import { MeService } from './me.service.ts';

/** The caller's own profile. */
@Module({ imports: [GroupsModule, UsersModule], controllers: [MeController], providers: [MeService] })
export class MeModule {}
