import { Module } from '@nestjs/common';
import { RevisionsModule } from '../revisions/revisions.module.ts';
import { ActivePeople } from './active-people.ts';
import { PeopleChangesController } from './people-changes.controller.ts';
import { PeopleChangesService } from './people-changes.service.ts';

/** Who is active, for this service and for others. */
@Module({
  imports: [RevisionsModule],
  controllers: [PeopleChangesController],
  providers: [ActivePeople, PeopleChangesService],
  exports: [ActivePeople],
})
export class PeopleModule {}
