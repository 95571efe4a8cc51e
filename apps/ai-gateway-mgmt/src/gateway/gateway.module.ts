import { Module } from '@nestjs/common';
import { GatewayController } from './gateway.controller.ts';

@Module({ controllers: [GatewayController] })
export class GatewayModule {}
