import { Module } from '@nestjs/common';
import { GatewayController } from './gateway.controller.ts';
import { GatewayStatusController } from './gateway-status.controller.ts';

@Module({ controllers: [GatewayController, GatewayStatusController] })
export class GatewayModule {}
