import { Module } from '@nestjs/common';
import { UsageEventListController } from './usage-event-list.controller.ts';
import { UsageEventListRepository } from './usage-event-list.repository.ts';
import { UsageEventListService } from './usage-event-list.service.ts';

/** The lists of usage events. */
@Module({
  imports: [],
  controllers: [UsageEventListController],
  providers: [UsageEventListService, UsageEventListRepository],
  exports: [],
})
export class UsageEventListModule {}
