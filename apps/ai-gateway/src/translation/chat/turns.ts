import type { ChatPart, ChatTurn, TextPart } from './chat-request.ts';

/** The conversation of a request: instructions first, then turns whose roles differ. */
export interface Conversation {
  readonly instructions: readonly TextPart[];
  readonly turns: readonly ChatTurn[];
}

/** Joins neighbouring contents of one role, and drops empty ones. */
export function joinTurns(contents: Iterable<ChatTurn>): Conversation {
  const instructions: TextPart[] = [];
  const turns: { role: ChatTurn['role']; parts: ChatPart[] }[] = [];
  for (const { role, parts } of contents) {
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last === undefined && role === 'system') instructions.push(...parts.filter((part) => part.kind === 'text'));
    else if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts: [...parts] });
  }
  return { instructions, turns };
}

/** Makes the parts of a text; none of an empty one, which some formats refuse. */
export const createTexts = (text: string): TextPart[] => (text === '' ? [] : [{ kind: 'text', text }]);
