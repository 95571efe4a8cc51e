import { Module } from '@nestjs/common';
import { UserSeeding } from './user-seeding.ts';
import { UsersController } from './users.controller.ts';
import { UsersRepository } from './users.repository.ts';
import { UsersService } from './users.service.ts';

/** The people of the directory. */
@Module({
  controllers: [UsersController],
  providers: [UsersService, UsersRepository, UserSeeding],
  exports: [UsersRepository, UsersService],
})
export class UsersModule {}
