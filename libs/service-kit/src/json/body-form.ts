import type { KeptNumbers } from './exact-json.ts';

/** Lists of a body whose items are read one by one, each with the limits of a whole body. */
export interface BodyLists {
  /**
   * Most items by the name of the list, in lower case: `events`, `spec.entries`, and
   * `operations.*.value` for lists in the items of a list. Lists of one name have them together.
   */
  readonly maximum: Readonly<Record<string, number>>;
  /**
   * The handler judges each item by itself with `readItem`: for batches, where a bad item must not
   * affect the others. It gets `JsonItem`s, which are not parsed yet.
   */
  readonly judged?: true;
}

/** How the body of an operation is read. */
export interface BodyForm {
  /** Lists of the body that may hold more values together than a body may. */
  lists?: BodyLists;
  /**
   * Numbers of the body that keep their text, as `RawNumber`s: all, or those of members of these
   * names.
   */
  keptNumbers?: KeptNumbers;
}
