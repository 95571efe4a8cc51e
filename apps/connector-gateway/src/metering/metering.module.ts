import { Module } from '@nestjs/common';
import { ToolCallsRepository } from './tool-calls.repository.ts';

/** Records tool calls. */
@Module({ providers: [ToolCallsRepository], exports: [ToolCallsRepository] })
export class MeteringModule {}
