import type { z } from 'zod';
import { UnreadableItem } from './json-items.ts';
import { sentencesOf } from './sentences.ts';

/** Longest text that says what is wrong with one item. */
const MAX_TEXT = 1_000;

/** Reads an item of a batch whose operation judges its items. @returns the item, or the sentences that say why it is none */
export function readItem<Item>(schema: z.ZodType<Item>, item: unknown): { item: Item } | { error: string } {
  if (item instanceof UnreadableItem) return { error: item.message };
  const { success, data, error } = schema.safeParse(item);
  return success ? { item: data } : { error: sentencesOf(error.issues).slice(0, MAX_TEXT) };
}
