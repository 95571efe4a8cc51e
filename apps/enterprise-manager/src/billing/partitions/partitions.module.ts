import { Module } from '@nestjs/common';
import { PartitionKeeper } from './partition-keeper.ts';

/** Maintenance of the tables with monthly partitions. */
@Module({ providers: [PartitionKeeper] })
export class PartitionsModule {}
