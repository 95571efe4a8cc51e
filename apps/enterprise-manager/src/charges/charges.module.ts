import { Module } from '@nestjs/common';

/** The charges, one for each usage event that was priced. */
@Module({ imports: [], controllers: [], providers: [], exports: [] })
export class ChargesModule {}
