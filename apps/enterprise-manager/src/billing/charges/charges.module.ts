import { Module } from '@nestjs/common';
import { ChargesController } from './charges.controller.ts';
import { ChargesRepository } from './charges.repository.ts';
import { ChargesService } from './charges.service.ts';

/** Reads of charges. */
@Module({ imports: [], controllers: [ChargesController], providers: [ChargesService, ChargesRepository], exports: [] })
export class ChargesModule {}
