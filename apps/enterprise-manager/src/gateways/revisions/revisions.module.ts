import { Module } from '@nestjs/common';
import { RevisionWatch } from './revision-watch.ts';

/** How long polls and memories learn that something has changed. */
@Module({ providers: [RevisionWatch], exports: [RevisionWatch] })
export class RevisionsModule {}
