import { Module } from '@nestjs/common';
import { ActivePeopleModule } from '../../people/deactivation/active-people.module.ts';
import { GatewaysModule } from '../settings/gateways.module.ts';
import { CallerRules } from './caller-rules.ts';

/** Checks callers beyond their roles: the gateway of a client, the state of a person. */
@Module({ imports: [GatewaysModule, ActivePeopleModule], providers: [CallerRules], exports: [CallerRules] })
export class CallerRulesModule {}
