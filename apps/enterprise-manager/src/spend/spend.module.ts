import { Module } from '@nestjs/common';

/** What charges come to: by payer, person, model and day. */
@Module({ imports: [], controllers: [], providers: [], exports: [] })
export class SpendModule {}
