import { Module } from '@nestjs/common';
import { RevisionsModule } from '../revisions/revisions.module.ts';
import { PeopleChangesController } from './people-changes.controller.ts';
import { PeopleChangesService } from './people-changes.service.ts';

/** Informs other services about inactive users. */
@Module({ imports: [RevisionsModule], controllers: [PeopleChangesController], providers: [PeopleChangesService] })
export class PeopleChangesModule {}
