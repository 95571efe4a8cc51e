import { acceptedContent, inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Name of the tool. */
export const MARKED = 'marked';

/** The arguments of one call. Every message of the call contains its mark. */
export interface MarkedCall {
  mark: string;
  /** Number of log messages and progress notes, in turn. */
  notes: number;
  /** Whether the tool asks the user before it answers. */
  asks: boolean;
  pauseMs: number;
}

const inputSchema = z.object({ mark: z.string(), notes: z.number(), asks: z.boolean(), pauseMs: z.number() });

/**
 * Registers a tool that sends log messages and progress notes, asks the user, and returns the
 * user's answer. A question of 2026-07-28 needs a second call, which sends no notes.
 */
export function registerMarkedTool(server: McpServer): void {
  server.registerTool(MARKED, { inputSchema }, async ({ mark, notes, asks, pauseMs }, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'question')?.['text'];
    if (answer === undefined) {
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= notes; progress += 1) {
        await mcpReq.log('info', mark);
        if (progressToken !== undefined)
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message: mark } });
        await sleep(pauseMs);
      }
      if (asks) return inputRequired({ inputRequests: { question: askWith(mark) } });
    }
    await sleep(pauseMs);
    return { content: [{ type: 'text' as const, text: `${mark} ${typeof answer === 'string' ? answer : 'none'}` }] };
  });
}

const askWith = (message: string) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: { text: { type: 'string' } } } });
