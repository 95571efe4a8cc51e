import { Module } from '@nestjs/common';
import { ActivePeopleModule } from '../../people/deactivation/active-people.module.ts';
import { GatewaysModule } from '../settings/gateways.module.ts';
import { CallerRules } from './caller-rules.ts';

/** Which callers may do what beyond their roles. */
@Module({ imports: [GatewaysModule, ActivePeopleModule], providers: [CallerRules], exports: [CallerRules] })
export class CallerRulesModule {}
