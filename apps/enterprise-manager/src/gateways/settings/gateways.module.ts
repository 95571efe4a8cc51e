import { Module } from '@nestjs/common';
import { Gateways } from './gateways.ts';

/** The registered gateways and their clients. */
@Module({ providers: [Gateways], exports: [Gateways] })
export class GatewaysModule {}
