import { Module } from '@nestjs/common';
import { PartitionKeeper } from './partition-keeper.ts';

/** Tables that are divided by month. */
@Module({ providers: [PartitionKeeper] })
export class PartitionsModule {}
