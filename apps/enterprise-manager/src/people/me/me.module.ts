import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.ts';
import { MeController } from './me.controller.ts';
import { MeRepository } from './me.repository.ts';
import { MeService } from './me.service.ts';

/** The caller's own profile. */
@Module({ imports: [UsersModule], controllers: [MeController], providers: [MeService, MeRepository] })
export class MeModule {}
