import { Module } from '@nestjs/common';
import { UsageHorizon } from './usage-horizon.ts';

/** How far back usage goes, for those who take it in. */
@Module({ providers: [UsageHorizon], exports: [UsageHorizon] })
export class UsageHorizonModule {}
