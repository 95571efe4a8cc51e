import { Module } from '@nestjs/common';
import { InactiveUserCheckModule } from '../../people/deactivation/inactive-user-check.module.ts';
import { GatewaysModule } from '../settings/gateways.module.ts';
import { CallerRules } from './caller-rules.ts';

/** Checks of callers besides their roles: the registered gateway, the active user. */
@Module({ imports: [GatewaysModule, InactiveUserCheckModule], providers: [CallerRules], exports: [CallerRules] })
export class CallerRulesModule {}
