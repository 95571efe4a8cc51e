import { Module } from '@nestjs/common';
import { McpServersController } from './mcp-servers.controller.ts';

@Module({ controllers: [McpServersController] })
export class McpServersModule {}
