import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { PriceLists } from './price-lists.ts';

/** Versions of the pricing catalog. */
@Module({ imports: [AuditModule], controllers: [], providers: [PriceLists], exports: [PriceLists] })
export class PricingModule {}
