import { Module } from '@nestjs/common';
import { Directory } from './directory.ts';

/** The connection to the enterprise manager. */
@Module({ providers: [Directory], exports: [Directory] })
export class DirectoryModule {}
