import type { ListedDefinition } from '../mcp/ports/tool-pin-store.ts';

/** Most undecided definitions of one tool. */
const MAX_PENDING_OF_TOOL = 5;
/** Most undecided definitions of one connector. */
const MAX_PENDING_OF_CONNECTOR = 1_000;

/** An undecided definition that is stored. */
export interface PendingDefinition {
  id: string;
  tool: string;
  superseded: number;
  /** Whether no list had it in the last hour. */
  isGone: boolean;
}

/** A definition to store. */
export interface PlannedDefinition extends ListedDefinition {
  /** Number of undecided definitions that gave way to this one and to those before it. */
  superseded: number;
  /** Whether the audit trail gets an event. */
  isAudited: boolean;
}

/** The changes of the stored definitions. */
export interface RecordingPlan {
  added: readonly PlannedDefinition[];
  /** Ids of the definitions that give way. */
  removed: readonly string[];
  /** Number of definitions without room. */
  unrecorded: number;
}

/**
 * Decides which new definitions are stored, so that an upstream with ever new definitions fills
 * neither the table nor the audit trail: of one tool the newest stay, and a full connector has room
 * only in place of definitions that are gone. A definition that takes the place of another has no
 * audit event of its own.
 * @param pending the undecided definitions of the connector, the longest unseen first
 */
export function planRecording(
  pending: readonly PendingDefinition[],
  definitions: readonly ListedDefinition[],
): RecordingPlan {
  const stored = [...pending];
  const added: PlannedDefinition[] = [];
  const removed: string[] = [];
  let unrecorded = 0;
  for (const definition of definitions) {
    const ofTool = stored.filter(({ tool }) => tool === definition.tool);
    const count = stored.length + added.length;
    const replaced =
      ofTool.length >= MAX_PENDING_OF_TOOL
        ? ofTool[0]
        : count >= MAX_PENDING_OF_CONNECTOR
          ? stored.find(({ isGone }) => isGone)
          : undefined;
    if (replaced === undefined && count >= MAX_PENDING_OF_CONNECTOR) {
      unrecorded += 1;
      continue;
    }
    if (replaced !== undefined) {
      stored.splice(stored.indexOf(replaced), 1);
      removed.push(replaced.id);
    }
    const superseded = replaced?.tool === definition.tool ? replaced.superseded + 1 : 0;
    added.push({ ...definition, superseded, isAudited: replaced === undefined });
  }
  return { added, removed, unrecorded };
}
