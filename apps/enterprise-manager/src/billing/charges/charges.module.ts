import { Module } from '@nestjs/common';
import { ChargesController } from './charges.controller.ts';
import { ChargesRepository } from './charges.repository.ts';
import { ChargesService } from './charges.service.ts';

/** The charges, one for each usage event that was priced. */
@Module({ imports: [], controllers: [ChargesController], providers: [ChargesService, ChargesRepository], exports: [] })
export class ChargesModule {}
