import { Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { CatalogList } from './mcp-servers.dto.ts';

/** The catalog of MCP servers. It is empty until AI policies are enforced for MCP. */
@Controller('v1/mcp-servers')
export class McpServersController {
  @Get()
  @Requires('any')
  @Operation({
    summary: 'List all MCP servers visible to the gateway',
    success: { status: 200, schema: CatalogList },
    errors: [401, 429, 503],
  })
  list(): CatalogList {
    return { items: [] };
  }
}
