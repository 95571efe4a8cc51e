import type { Snapshot } from './snapshot.ts';

/** The treatment of tools whose definition no administrator has accepted. */
export type ToolPinning = Snapshot['settings']['content']['tool_pinning'];

/**
 * The status of a stored definition. `baseline`: the connector had it when its pinning began.
 * `pending`: it came later, and no administrator has decided about it.
 */
export type PinStatus = 'baseline' | 'accepted' | 'pending' | 'rejected';

/** The definition of a tool as the upstream lists it, by the hash of its canonical JSON. */
export interface ToolDigest {
  /** The upstream's own name. */
  tool: string;
  /** Lower-case hex SHA-256 of the canonical JSON. */
  hash: string;
}

/** A definition that is stored. */
export interface ListedDefinition extends ToolDigest {
  /** Canonical JSON. */
  text: string;
}

/** The stored definitions of one connector. An object never changes. */
export interface ToolPinSet {
  readonly hasBaseline: boolean;
  /** By `getPinKey`. */
  readonly statuses: ReadonlyMap<string, PinStatus>;
}

/** The result of recording definitions that no replica had seen. */
export interface RecordedDefinitions {
  /** Names of tools with a new pending definition. */
  tools: readonly string[];
  /** Number of definitions for which the store has no room. */
  unrecorded: number;
}

/** Stores the definitions of tools for all replicas. */
export interface ToolPinStore {
  load(connectorId: string): Promise<ToolPinSet>;
  /** Stores the baseline of a connector. Without effect if it has one. @returns whether stored */
  takeBaseline(connectorId: string, definitions: readonly ListedDefinition[]): Promise<boolean>;
  /** Stores unknown definitions as pending. Each is stored once, also by concurrent calls. */
  record(connectorId: string, definitions: readonly ListedDefinition[]): Promise<RecordedDefinitions>;
  /** Notes that definitions are still listed. */
  touch(connectorId: string, digests: readonly ToolDigest[]): Promise<void>;
}

/** The key of a definition among those of its connector. */
export const getPinKey = ({ tool, hash }: ToolDigest): string => `${hash} ${tool}`;
