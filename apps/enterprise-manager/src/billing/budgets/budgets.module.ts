import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { UsersModule } from '../../people/users/users.module.ts';
import { BudgetSummaryController } from './budget-summary.controller.ts';
import { BudgetSummaryRepository } from './budget-summary.repository.ts';
import { BudgetSummaryService } from './budget-summary.service.ts';
import { BudgetsController } from './budgets.controller.ts';
import { BudgetsRepository } from './budgets.repository.ts';
import { BudgetsService } from './budgets.service.ts';
import { CellsRepository } from './cells.repository.ts';
import { DefaultBudgetController } from './default-budget.controller.ts';
import { DefaultBudgetService } from './default-budget.service.ts';
import { OwnBudgetsService } from './own-budgets.service.ts';
import { PrincipalsRepository } from './principals.repository.ts';
import { SubjectResolver } from './subject-resolver.ts';

/** Budgets of users and groups, and their budget cells. */
@Module({
  imports: [AuditModule, UsersModule],
  controllers: [DefaultBudgetController, BudgetsController, BudgetSummaryController],
  providers: [
    BudgetsService,
    BudgetsRepository,
    DefaultBudgetService,
    BudgetSummaryService,
    BudgetSummaryRepository,
    OwnBudgetsService,
    CellsRepository,
    PrincipalsRepository,
    SubjectResolver,
  ],
  exports: [BudgetsRepository, CellsRepository, PrincipalsRepository, SubjectResolver],
})
export class BudgetsModule {}
