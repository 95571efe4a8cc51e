import { Module } from '@nestjs/common';
import { SpendController } from './spend.controller.ts';
import { SpendExportController } from './spend-export.controller.ts';
import { SpendExportRepository } from './spend-export.repository.ts';
import { SpendExportService } from './spend-export.service.ts';
import { SpendRepository } from './spend.repository.ts';
import { SpendService } from './spend.service.ts';
import { UserNames } from './user-names.ts';

/** Reads of spend by payer, user, model and day. */
@Module({
  imports: [],
  controllers: [SpendController, SpendExportController],
  providers: [SpendService, SpendRepository, SpendExportService, SpendExportRepository, UserNames],
  exports: [],
})
export class SpendModule {}
