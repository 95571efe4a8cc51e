import type { JsonObject } from '../../formats/model-request.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import { createUntranslatableError } from '../untranslatable.ts';

/** Writes `tool_choice`. @throws ModelCallError `untranslatable` for a choice of several tools */
export function writeToolChoice({ toolChoice, singleToolCall, tools }: ChatRequest): JsonObject | undefined {
  if (tools.length === 0) return undefined;
  const single = singleToolCall === undefined ? {} : { disable_parallel_tool_use: true };
  const choice = toolChoice?.value ?? { kind: 'auto' };
  switch (choice.kind) {
    case 'none':
      return { type: 'none' };
    case 'auto':
      return singleToolCall === undefined && toolChoice === undefined ? undefined : { type: 'auto', ...single };
    case 'required':
      return { type: 'any', ...single };
    case 'named': {
      const [name, ...others] = choice.names;
      if (others.length === 0) return { type: 'tool', name, ...single };
      throw createUntranslatableError(toolChoice?.field ?? '', 'anthropic', 'Name one tool.');
    }
  }
}
