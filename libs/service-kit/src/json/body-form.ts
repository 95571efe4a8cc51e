import type { KeptNumbers } from './exact-json.ts';

/** Lists of a body whose items are read one by one, each with the limits of a whole body. */
export interface BodyLists {
  /**
   * Maximum number of items by the name of the list, in lower case: `events`, `spec.entries`, and
   * `operations.*.value` for lists in the items of a list. Lists with one name share the maximum.
   */
  readonly maximum: Readonly<Record<string, number>>;
  /**
   * The handler receives unparsed `JsonItem`s and checks each of them with `readItem`. For batches
   * in which an invalid item must not affect the others.
   */
  readonly hasUnparsedItems?: true;
}

/** The lists and exact numbers of an operation's body. */
export interface BodyForm {
  /** Lists that together may have more values than a body otherwise may. */
  lists?: BodyLists;
  /**
   * Numbers that keep their text as `RawNumber`s: all, or those of members with these names.
   */
  keptNumbers?: KeptNumbers;
}
