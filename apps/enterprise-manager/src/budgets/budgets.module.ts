import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { CellsRepository } from './cells.repository.ts';
import { PrincipalsRepository } from './principals.repository.ts';

/** What people and groups may spend, and what they have used of it. */
@Module({
  imports: [AuditModule],
  controllers: [],
  providers: [CellsRepository, PrincipalsRepository],
  exports: [CellsRepository, PrincipalsRepository],
})
export class BudgetsModule {}
