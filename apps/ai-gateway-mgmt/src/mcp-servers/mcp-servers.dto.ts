import { z } from 'zod';

const McpServerEntry = z
  .object({
    name: z
      .string()
      .max(253)
      .meta({ examples: ['search'] }),
    description: z.string().optional(),
    ready: z.boolean().optional(),
  })
  .meta({ id: 'McpServerEntry', description: 'An MCP server of the gateway' });

/** The MCP servers of the gateway. */
export const CatalogList = z
  .object({ items: z.array(McpServerEntry) })
  .meta({ id: 'CatalogList', description: 'The MCP servers of the gateway; empty in this version' });
export type CatalogList = z.infer<typeof CatalogList>;
