import { Module } from '@nestjs/common';
import { ActivePeople } from './active-people.ts';

/** Who is active. */
@Module({ providers: [ActivePeople], exports: [ActivePeople] })
export class ActivePeopleModule {}
