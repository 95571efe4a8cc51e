import { Module } from '@nestjs/common';
import { InactiveUserCheck } from './inactive-user-check.ts';

/** The check whether the directory has deactivated or removed a user. */
@Module({ providers: [InactiveUserCheck], exports: [InactiveUserCheck] })
export class InactiveUserCheckModule {}
