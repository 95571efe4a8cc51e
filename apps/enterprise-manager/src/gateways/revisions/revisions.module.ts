import { Module } from '@nestjs/common';
import { RevisionWatch } from './revision-watch.ts';

/** Notifies long polls and caches about changes. */
@Module({ providers: [RevisionWatch], exports: [RevisionWatch] })
export class RevisionsModule {}
