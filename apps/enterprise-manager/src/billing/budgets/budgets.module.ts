import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { UsersModule } from '../../people/users/users.module.ts';
import { BudgetCellsController } from './budget-cells.controller.ts';
import { BudgetCellsRepository } from './budget-cells.repository.ts';
import { BudgetCellsService } from './budget-cells.service.ts';
import { BudgetsController } from './budgets.controller.ts';
import { BudgetsRepository } from './budgets.repository.ts';
import { BudgetsService } from './budgets.service.ts';
import { CellsRepository } from './cells.repository.ts';
import { DefaultBudgetController } from './default-budget.controller.ts';
import { DefaultBudgetService } from './default-budget.service.ts';
import { OwnBudgetsService } from './own-budgets.service.ts';
import { PrincipalsRepository } from './principals.repository.ts';
import { Subjects } from './subjects.ts';

/** What people and groups may spend, and what they have used of it. */
@Module({
  imports: [AuditModule, UsersModule],
  controllers: [DefaultBudgetController, BudgetsController, BudgetCellsController],
  providers: [
    BudgetsService,
    BudgetsRepository,
    DefaultBudgetService,
    BudgetCellsService,
    BudgetCellsRepository,
    OwnBudgetsService,
    CellsRepository,
    PrincipalsRepository,
    Subjects,
  ],
  exports: [BudgetsRepository, CellsRepository, PrincipalsRepository, Subjects],
})
export class BudgetsModule {}
