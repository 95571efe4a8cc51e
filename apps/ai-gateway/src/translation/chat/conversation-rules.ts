import type { WireFormat } from '../../formats/operation.ts';
import { createUntranslatableError } from '../untranslatable.ts';
import type { ChatRequest } from './chat-request.ts';

/**
 * Refuses a conversation that ends with the assistant. Formats disagree whether the answer
 * continues that text or follows it.
 * @throws ModelCallError `untranslatable`
 */
export function requireOpenTurn({ turns, turnsField }: ChatRequest, target: WireFormat): void {
  if (turns.at(-1)?.role !== 'assistant') return;
  throw createUntranslatableError(turnsField, target, 'End the conversation with a message of the user.');
}
