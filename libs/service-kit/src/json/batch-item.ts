import type { z } from 'zod';
import { JsonItem } from './json-items.ts';
import { mapInSlices } from '../concurrency/pacer.ts';
import { HttpError } from '../errors/http-error.ts';
import { faultsBy, withRequired } from './schema-check.ts';
import { formatIssues } from '../errors/sentences.ts';
import { UnreadableBodyError } from './strict-json.ts';

/** Maximum length of the reason for which an item is rejected. */
const MAX_TEXT = 1_000;

/** The schema and the verbatim members of the items of a batch. */
export interface ItemForm<Item> {
  schema: z.ZodType<Item>;
  /** Members whose values are kept as their JSON text, with any keys. */
  verbatim?: readonly string[];
}

/** A valid item, or the reason for which an item is rejected. */
export type ReadItem<Item> =
  | {
      item: Item;
      /** The item as `JSON.parse` gives it, before the schema. */
      value: unknown;
      /** Texts of the verbatim members. */
      texts: ReadonlyMap<string, string>;
    }
  | { error: string };

/**
 * Reads an item of a batch whose operation judges its items.
 * @throws UnreadableBodyError when the item, and so the body, is not JSON
 */
export function readItem<Item>({ schema, verbatim }: ItemForm<Item>, given: unknown): ReadItem<Item> {
  try {
    const { value, texts } = given instanceof JsonItem ? given.read(verbatim) : { value: given, texts: new Map() };
    const early = faultsBy(schema, value);
    if (early.length > 0) return { error: formatIssues(early, 'stopped').slice(0, MAX_TEXT) };
    const { success, data, error } = schema.safeParse(value);
    if (success) return { item: data, value, texts };
    return { error: formatIssues(error.issues.map((issue) => withRequired(issue, value))).slice(0, MAX_TEXT) };
  } catch (error) {
    if (error instanceof HttpError && !(error instanceof UnreadableBodyError)) return { error: error.message };
    throw error;
  }
}

/**
 * Reads all items of a batch, and yields to the event loop.
 * @throws UnreadableBodyError when one of them is not JSON
 */
export const readItems = <Result>(items: readonly unknown[], read: (item: unknown) => Result): Promise<Result[]> =>
  mapInSlices(items, read);
