import { Module } from '@nestjs/common';
import { PoliciesRepository } from './policies.repository.ts';

/** The repository of policies, for modules that read or create policies. */
@Module({ providers: [PoliciesRepository], exports: [PoliciesRepository] })
export class PolicyStoreModule {}
