import type { Caller } from '@gatehouse/service-kit/access';
import type { AskedRoute, CallerRule } from '@gatehouse/service-kit/caller-rule';
import { Refusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { Gateways } from '../connectors/gateways.ts';
import type { GatewayAccess } from './requires-gateway.ts';

/** What this service asks of callers beyond their roles: a gateway is registered for what it calls. */
@Injectable()
export class CallerRules implements CallerRule {
  constructor(private readonly gateways: Gateways) {}

  refusalOf(caller: Caller, { facts, params }: AskedRoute): Refusal | undefined {
    if (!facts.gateway) return undefined;
    return this.gateways.refusalOf(caller, facts.gateway as GatewayAccess, params['gateway_id']);
  }
}
