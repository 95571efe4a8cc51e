import type { ServerContext } from '@modelcontextprotocol/server';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerText, type FixtureTool } from './fixture-tool.ts';

/** Tells open streams and sessions of a change. */
export interface ChangeNotifier {
  toolsChanged(): void;
  promptsChanged(): void;
  resourceUpdated(uri: string): void;
}

/** Pause between two notifications, as the suite prescribes. */
const PAUSE_MS = 50;

/** Tools that send notifications while they run, or about changes. */
export const createNotifyingTools = (changes: ChangeNotifier): Record<string, FixtureTool> => ({
  test_tool_with_logging: { description: 'Sends three log messages.', call: logThreeTimes },
  test_tool_with_progress: { description: 'Reports its progress three times.', call: reportProgress },
  test_streaming_elicitation: { description: 'Reports its progress on the stream of its call.', call: reportProgress },
  test_logging_tool: {
    description: 'Sends one log message.',
    call: async (_, { mcpReq }) => {
      await mcpReq.log('info', 'one log message');
      return answerText('logged');
    },
  },
  test_reconnection: { description: 'Closes the stream of its call, then answers.', call: reconnect },
  test_trigger_tool_change: {
    description: 'Announces a change of the tools.',
    call: () => (changes.toolsChanged(), answerText('announced')),
  },
  test_trigger_prompt_change: {
    description: 'Announces a change of the prompts.',
    call: () => (changes.promptsChanged(), answerText('announced')),
  },
  test_trigger_resource_update: {
    description: 'Announces a change of the watched resource.',
    call: () => (changes.resourceUpdated('test://watched-resource'), answerText('announced')),
  },
});

async function logThreeTimes(_: unknown, { mcpReq }: ServerContext) {
  for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', text);
    await sleep(PAUSE_MS);
  }
  return answerText('Tool with logging executed successfully');
}

async function reportProgress(_: unknown, { mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    await sleep(PAUSE_MS);
  }
  return answerText(String(progressToken));
}

/** Closes the stream of a call before its response (SEP-1699); the client resumes it. */
async function reconnect(_: unknown, { http }: ServerContext) {
  http?.closeSSE?.();
  await sleep(PAUSE_MS);
  return answerText('Reconnection test completed successfully.');
}
