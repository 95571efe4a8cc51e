import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { BudgetsModule } from '../budgets/budgets.module.ts';
import { AlertSecretsRepository } from './alert-secrets.repository.ts';
import { AlertSecrets } from './alert-secrets.ts';
import { AlertsController } from './alerts.controller.ts';
import { AlertsRepository } from './alerts.repository.ts';
import { AlertsService } from './alerts.service.ts';
import { BudgetScanner } from './budget-scanner.ts';
import { CrossingsRepository } from './crossings.repository.ts';
import { DeliveriesController } from './deliveries.controller.ts';
import { DeliveriesRepository } from './deliveries.repository.ts';
import { DeliveriesService } from './deliveries.service.ts';
import { OutboxRepository } from './outbox.repository.ts';
import { OutboxWorker } from './outbox-worker.ts';

/** Budget alerts: webhooks that are called when a budget reaches a threshold. */
@Module({
  imports: [AuditModule, BudgetsModule],
  controllers: [AlertsController, DeliveriesController],
  providers: [
    AlertsService,
    AlertsRepository,
    AlertSecrets,
    AlertSecretsRepository,
    BudgetScanner,
    CrossingsRepository,
    DeliveriesService,
    DeliveriesRepository,
    OutboxRepository,
    OutboxWorker,
  ],
  exports: [CrossingsRepository],
})
export class BudgetAlertsModule {}
