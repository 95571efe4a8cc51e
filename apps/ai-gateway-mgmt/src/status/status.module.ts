import { Module } from '@nestjs/common';
import { GatewayStatuses } from './gateway-statuses.ts';
import { PolicyStatuses } from './policy-statuses.ts';
import { StatusReconciler } from './status-reconciler.ts';

@Module({ providers: [GatewayStatuses, PolicyStatuses, StatusReconciler], exports: [PolicyStatuses] })
export class StatusModule {}
