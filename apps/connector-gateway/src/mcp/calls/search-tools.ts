import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { z } from 'zod';
import type { Offer, UnavailableList } from '../catalog/offers.ts';
import { getDefinition } from './call-facts.ts';
import type { ClientCall } from './client-call.ts';
import { createUnavailableMeta } from './meta.ts';
import { type Plane, requireRequestScope } from './plane.ts';
import { createErrorResult } from './results.ts';

/** The names of the two tools of search mode. */
export const FIND_TOOL = 'find_tool';
export const CALL_TOOL = 'call_tool';

/** The longest query; a longer one is refused. */
const MAX_QUERY = 500;
const [DEFAULT_LIMIT, MAX_LIMIT] = [5, 20];

/** Most bytes of the found tools as JSON. A larger tool is shown without its input schema. */
const MAX_RESULT_BYTES = 128 * 1024;
const MAX_DESCRIPTION = 1_000;

/** The tools of search mode. They are the same for all users and never change. */
export const SEARCH_TOOLS: readonly JsonObject[] = [
  {
    name: FIND_TOOL,
    title: 'Find tools',
    description:
      'Finds tools by what they do. Returns the name, the description and the input schema of the best matches, the best one first. Call a found tool with call_tool.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: MAX_QUERY,
          description: 'What the tool should do, in a few words, for example: create an issue',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          default: DEFAULT_LIMIT,
          description: `Most tools to return, at most ${MAX_LIMIT}`,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        tools: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              title: { type: 'string' },
              description: { type: 'string' },
              inputSchema: { type: 'object' },
            },
            required: ['name', 'inputSchema'],
          },
        },
        omitted: { type: 'integer', description: 'Number of further matches for which the result had no room' },
      },
      required: ['tools'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL_TOOL,
    title: 'Call a tool',
    description: 'Calls a tool that find_tool has found, with arguments that match its input schema.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool, as find_tool returned it' },
        arguments: { type: 'object', description: 'The arguments of the tool' },
      },
      required: ['name'],
      additionalProperties: false,
    },
  },
];

const Query = z.strictObject({
  query: z.string().min(1).max(MAX_QUERY),
  limit: z.int().min(1).optional(),
});

/**
 * Finds the tools of the user's view that match a query best. Wrong arguments are a result with an
 * error, so that a model can correct them (MCP 2025-11-25, tools, error handling).
 */
export async function findTools(plane: Plane, { user, scope, params }: ClientCall): Promise<JsonObject> {
  const read = Query.safeParse(params['arguments']);
  if (!read.success) return createErrorResult(describeProblem(read.error));
  const { query, limit = DEFAULT_LIMIT } = read.data;
  const { access } = await requireRequestScope(plane, user);
  const unavailable: UnavailableList[] = [];
  const views = await plane.offers.listViews(access, scope, 'tools', unavailable);
  const index = await plane.toolIndexes.get(plane.viewKeys.get(access, scope, views), views);
  const names = index.find(query, Math.min(limit, MAX_LIMIT));
  const offers = names.flatMap((name) => views.flatMap((view) => view.get(name) ?? []));
  return { ...createResult(offers), ...createUnavailableMeta(unavailable) };
}

/** The params of the tool that `call_tool` calls; empty without valid arguments. */
export const readCalledTool = ({ arguments: values }: JsonObject): JsonObject => (isJsonObject(values) ? values : {});

function createResult(offers: readonly Offer<'tools'>[]): JsonObject {
  const tools: JsonObject[] = [];
  const texts: string[] = [];
  let bytes = 0;
  for (const offer of offers) {
    const { tool, text } = getFoundTool(offer);
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_RESULT_BYTES) break;
    tools.push(tool);
    texts.push(text);
  }
  const omitted = offers.length - tools.length;
  const content = `{"tools":[${texts.join(',')}]${omitted > 0 ? `,"omitted":${omitted}` : ''}}`;
  return {
    content: [{ type: 'text', text: content }],
    structuredContent: { tools, ...(omitted > 0 && { omitted }) },
  };
}

/** A tool as a result shows it, and its JSON. */
interface FoundTool {
  tool: JsonObject;
  text: string;
}

const foundTools = new WeakMap<Offer<'tools'>, FoundTool>();

function getFoundTool(offer: Offer<'tools'>): FoundTool {
  let found = foundTools.get(offer);
  if (found === undefined) foundTools.set(offer, (found = createFoundTool(offer)));
  return found;
}

function createFoundTool(offer: Offer<'tools'>): FoundTool {
  const { name, title, description, inputSchema } = getDefinition(offer);
  const tool = { name, ...(title && { title }), ...(description && { description }), inputSchema };
  const text = JSON.stringify(tool);
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES) return { tool, text };
  const note = '(The input schema of this tool is too large to be shown.)';
  const short = {
    name,
    description: `${(description ?? '').slice(0, MAX_DESCRIPTION).toWellFormed()} ${note}`,
    inputSchema: { type: 'object' },
  };
  return { tool: short, text: JSON.stringify(short) };
}

function describeProblem({ issues: [issue] }: z.ZodError): string {
  const field = issue === undefined || issue.path.length === 0 ? 'arguments' : issue.path.join('.');
  return `${field}: ${issue?.message ?? 'is not valid'}. Give a query of at most ${MAX_QUERY} characters, and optionally a limit.`;
}
