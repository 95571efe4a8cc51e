import { Module } from '@nestjs/common';
import { ActivePeople } from './active-people.ts';

/** Says whether a person is active. */
@Module({ providers: [ActivePeople], exports: [ActivePeople] })
export class ActivePeopleModule {}
