import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { CallerRules } from './caller-rules.ts';

/** Which callers may do what beyond their roles. */
@Module({ imports: [ConnectorsModule, PeopleModule], providers: [CallerRules], exports: [CallerRules] })
export class GatewaysModule {}
