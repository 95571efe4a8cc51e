import { Module } from '@nestjs/common';
import { Directory } from './directory.ts';
import { DirectoryCopies } from './directory-copies.ts';

/** The connection to the enterprise manager. */
@Module({ providers: [Directory, DirectoryCopies], exports: [Directory] })
export class DirectoryModule {}
