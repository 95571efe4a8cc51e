import { Module } from '@nestjs/common';
import { InactiveUserCheckModule } from '../../people/deactivation/inactive-user-check.module.ts';
import { GatewaysModule } from '../settings/gateways.module.ts';
import { CallerRules } from './caller-rules.ts';

/** Checks callers beyond their roles: the gateway of a client, the state of a person. */
@Module({ imports: [GatewaysModule, InactiveUserCheckModule], providers: [CallerRules], exports: [CallerRules] })
export class CallerRulesModule {}
