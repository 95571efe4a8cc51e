import {
  createRequestStateCodec,
  fromJsonSchema,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RegisteredTool,
} from '@modelcontextprotocol/server';
import type { SkillCatalog } from '@modelcontextprotocol/server/ext/skills';
import { randomBytes } from 'node:crypto';
import { contentTools } from './content-tools.ts';
import { answerText, type FixtureTool } from './fixture-tool.ts';
import { type ChangeNotifier, createNotifyingTools } from './notifying-tools.ts';
import { registerPrompts } from './prompts.ts';
import { questionTools } from './question-tools.ts';
import { registerResources } from './resources.ts';
import { schemaTools } from './schema-tools.ts';
import { createStatefulTools, type QuestionState } from './stateful-tools.ts';
import { createTaskTools, registerTaskMethods, TASKS_EXTENSION } from './task-tools.ts';
import type { TaskStore } from './task-store.ts';

/** The parts that all servers of one endpoint share. */
export interface Shared {
  changes: ChangeNotifier;
  tasks: TaskStore;
  skills: SkillCatalog;
}

const codec = createRequestStateCodec<QuestionState>({ key: randomBytes(32) });

/** Creates a server for one session, or for one request of the era without sessions. */
export function createServer(shared: Shared): McpServer {
  const { changes, tasks, skills } = shared;
  const server = new McpServer(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
        extensions: { [TASKS_EXTENSION]: {} },
      },
      requestState: { verify: (state, context) => codec.verify(state, context) },
    },
  );
  registerTools(server, {
    ...contentTools,
    ...schemaTools,
    ...createNotifyingTools(changes),
    ...questionTools,
    ...createStatefulTools(codec),
    ...createTaskTools(tasks),
  });
  registerResources(server);
  registerPrompts(server);
  registerTaskMethods(server, tasks);
  skills.attach(server);
  return server;
}

/**
 * Registers tools and replaces the dispatch of the SDK, which turns every error of a tool into a
 * result: a missing capability must be an error of the request.
 */
function registerTools(server: McpServer, tools: Record<string, FixtureTool>): void {
  const registered = new Map<string, RegisteredTool>();
  for (const [name, { description, inputSchema = { type: 'object' }, call }] of Object.entries(tools)) {
    const config = { description, inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema) };
    registered.set(name, server.registerTool(name, config, call));
  }
  server.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = registered.get(params.name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name}`);
    }
    const checked = await tool.inputSchema!['~standard'].validate(params.arguments ?? {});
    if (checked.issues)
      return { ...answerText(checked.issues.map(({ message }) => message).join('; ')), isError: true };
    return tool.executor(checked.value, context);
  });
}
