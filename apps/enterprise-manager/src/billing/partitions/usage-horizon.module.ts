import { Module } from '@nestjs/common';
import { UsageHorizon } from './usage-horizon.ts';

/** Provides the oldest time of usage events that are accepted. */
@Module({ providers: [UsageHorizon], exports: [UsageHorizon] })
export class UsageHorizonModule {}
