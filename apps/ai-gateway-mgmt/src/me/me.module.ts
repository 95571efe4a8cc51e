import { Module } from '@nestjs/common';
import { MeController } from './me.controller.ts';
import { MeService } from './me.service.ts';
import { MatchedPolicies } from './matched-policies.ts';

@Module({ controllers: [MeController], providers: [MeService, MatchedPolicies] })
export class MeModule {}
