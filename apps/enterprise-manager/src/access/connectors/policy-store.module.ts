import { Module } from '@nestjs/common';
import { PoliciesRepository } from './policies.repository.ts';

/** The policies in the database, for everybody who needs to read or begin one. */
@Module({ providers: [PoliciesRepository], exports: [PoliciesRepository] })
export class PolicyStoreModule {}
