import { Module } from '@nestjs/common';
import { Gateways } from './gateways.ts';

/** The gateways that are registered, and their clients. */
@Module({ providers: [Gateways], exports: [Gateways] })
export class GatewaysModule {}
