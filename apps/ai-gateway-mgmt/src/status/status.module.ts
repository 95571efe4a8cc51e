import { Module } from '@nestjs/common';
import { PolicyStatuses } from './policy-statuses.ts';
import { StatusReconciler } from './status-reconciler.ts';

@Module({ providers: [PolicyStatuses, StatusReconciler], exports: [PolicyStatuses] })
export class StatusModule {}
