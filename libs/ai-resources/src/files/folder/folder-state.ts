import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Resource } from '../../resource.ts';
import { type Origin, RULES_VERSION } from '../rules.ts';
import { KnownFiles, type ResourceIdentity } from '../state/known-files.ts';
import { removeVersion, Revisions } from '../state/revisions.ts';
import { StateDatabase } from '../state/state-database.ts';
import { removeTemporaryFiles } from './durable-files.ts';

/** The stored resources of one folder. `<folder>/.state/resources.db` holds them. */
export class FolderState {
  readonly revisions: Revisions;
  readonly files: KnownFiles;

  private constructor(
    readonly database: StateDatabase,
    private readonly now: () => number,
  ) {
    this.revisions = new Revisions(database);
    this.files = new KnownFiles(database);
  }

  /**
   * Opens the state of a folder that exists, and removes what killed processes were writing.
   * @param now returns milliseconds
   * @throws StateUnusableError, StateBusyError
   */
  static async open(folder: string, now: () => number): Promise<FolderState> {
    const database = StateDatabase.open(join(folder, '.state', 'resources.db'), now());
    try {
      const state = new FolderState(database, now);
      await database.write(() => {
        state.files.checkRules(RULES_VERSION);
        removeTemporaryFiles(folder);
      });
      return state;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** The sources of the server-managed members of a resource that is written now. */
  createOrigin(): Origin {
    return { createUid: randomUUID, now: this.now() };
  }

  /** Stores the deletion of a resource, within a write. */
  recordDeletion(identity: ResourceIdentity, last: Resource | undefined): void {
    if (last !== undefined) this.revisions.append(removeVersion(last), true, this.now());
    this.files.remove(identity);
  }
}
