import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import type { Grant } from './grants.ts';

/**
 * One policy of a document: its text, its start (UTF-16), and Cedar's syntax tree or, for a
 * compiled grant, its meaning.
 */
export interface ParsedPolicy {
  readonly text: string;
  readonly start: number;
  readonly tree?: cedar.PolicyJson;
  readonly grant?: Grant;
}

/**
 * The policies of a document by name: the `@id` annotation, or `policy<n>` in the order of the
 * text.
 */
export type NamedPolicies = ReadonlyMap<string, ParsedPolicy>;
