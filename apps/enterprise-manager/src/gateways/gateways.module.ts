import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { CallerRules } from './caller-rules.ts';

/** Which callers may do what beyond their roles. */
@Module({ imports: [ConnectorsModule], providers: [CallerRules], exports: [CallerRules] })
export class GatewaysModule {}
