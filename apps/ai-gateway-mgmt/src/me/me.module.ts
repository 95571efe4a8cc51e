import { Module } from '@nestjs/common';
import { MeController } from './me.controller.ts';
import { MeService } from './me.service.ts';
import { OwnPolicies } from './own-policies.ts';

@Module({ controllers: [MeController], providers: [MeService, OwnPolicies] })
export class MeModule {}
