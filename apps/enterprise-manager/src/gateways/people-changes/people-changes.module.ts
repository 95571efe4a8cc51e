import { Module } from '@nestjs/common';
import { RevisionsModule } from '../revisions/revisions.module.ts';
import { PeopleChangesController } from './people-changes.controller.ts';
import { PeopleChangesService } from './people-changes.service.ts';

/** Tells other services who is no longer active. */
@Module({ imports: [RevisionsModule], controllers: [PeopleChangesController], providers: [PeopleChangesService] })
export class PeopleChangesModule {}
