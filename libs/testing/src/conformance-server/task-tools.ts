import {
  inputRequired,
  type McpServer,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readAccepted } from './questions.ts';
import { answerText, type FixtureTool, getDeclaredCapabilities } from './fixture-tool.ts';
import type { TaskControl, TaskStore } from './task-store.ts';

/** Identifier of the extension for tasks (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Duration of the tasks that fail, and the longest wait of a client without tasks. */
const SHORT_MS = 100;

/** @throws {MissingRequiredClientCapabilityError} when the client did not declare tasks */
function requireTasks(context: ServerContext): void {
  if (hasTasks(context)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
}

const hasTasks = (context: ServerContext): boolean =>
  getDeclaredCapabilities(context).extensions?.[TASKS_EXTENSION] !== undefined;

const askFor = (message: string, field: string) =>
  inputRequired.elicit({ message, requestedSchema: z.object({ [field]: z.string() }) });

/** Tools that run as tasks (SEP-2663). */
export const createTaskTools = (tasks: TaskStore): Record<string, FixtureTool> => ({
  greet: {
    description: 'Greets at once.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    call: ({ name }) => answerText(`Hello, ${String(name)}!`),
  },
  slow_compute: {
    description: 'Waits, as a task where the client supports tasks.',
    inputSchema: {
      type: 'object',
      properties: { seconds: { type: 'number' }, label: { type: 'string' } },
      required: ['seconds'],
    },
    call: ({ seconds }, context) => {
      const wait = async (milliseconds: number, signal: AbortSignal) => {
        await sleep(milliseconds, undefined, { signal });
        return answerText('computed');
      };
      const milliseconds = Number(seconds) * 1000;
      return hasTasks(context)
        ? tasks.create(({ signal }) => wait(milliseconds, signal))
        : wait(Math.min(milliseconds, SHORT_MS), context.mcpReq.signal);
    },
  },
  failing_job: createTaskTool(tasks, 'Fails as a tool.', async () => {
    await sleep(SHORT_MS);
    return { ...answerText('the job failed'), isError: true };
  }),
  protocol_error_job: createTaskTool(tasks, 'Fails as a request.', async () => {
    await sleep(SHORT_MS);
    throw new Error('the job crashed');
  }),
  confirm_delete: createTaskTool(tasks, 'Asks before it ends.', async ({ ask }) => {
    const responses = await ask({ confirm: askFor('Delete the file?', 'confirm') });
    return answerText(JSON.stringify(responses['confirm']));
  }),
  multi_input: createTaskTool(tasks, 'Asks two questions at once.', async ({ ask }) =>
    answerText(JSON.stringify(await ask({ first: askFor('First?', 'first'), second: askFor('Second?', 'second') }))),
  ),
  test_tool_with_task: {
    description: 'Asks for a name, then goes on as a task.',
    call: (_, context) => {
      requireTasks(context);
      const name = readAccepted(context, 'user_name', 'name');
      if (name === undefined) return inputRequired({ inputRequests: { user_name: askFor('Your name?', 'name') } });
      return tasks.create(() => Promise.resolve(answerText(`Hello, ${name}!`)));
    },
  },
});

function createTaskTool(
  tasks: TaskStore,
  description: string,
  work: (control: TaskControl) => ReturnType<Parameters<TaskStore['create']>[0]>,
): FixtureTool {
  return {
    description,
    call: (_, context) => {
      requireTasks(context);
      return tasks.create(work);
    },
  };
}

/** Registers the methods of the extension. */
export function registerTaskMethods({ server }: McpServer, tasks: TaskStore): void {
  const params = z.looseObject({ taskId: z.string(), inputResponses: z.record(z.string(), z.unknown()).optional() });
  server.setRequestHandler('tasks/get', { params }, ({ taskId }, context) => {
    requireTasks(context);
    return { ...tasks.get(taskId) };
  });
  server.setRequestHandler('tasks/update', { params }, ({ taskId, inputResponses }, context) => {
    requireTasks(context);
    tasks.update(taskId, inputResponses ?? context.mcpReq.inputResponses ?? {});
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params }, ({ taskId }, context) => {
    requireTasks(context);
    tasks.cancel(taskId);
    return {};
  });
}
