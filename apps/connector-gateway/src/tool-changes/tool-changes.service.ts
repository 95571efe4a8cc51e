import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';
import { readKeysetPage } from '@gatehouse/database/keyset';
import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DataPlane } from '../data-plane/data-plane.ts';
import { TOOL_CHANGE } from '../tool-pins/tool-pins.repository.ts';
import { type ToolChange, type ToolChangeListQuery, type ToolChangePage, toToolChange } from './tool-changes.dto.ts';
import { type StoredToolChange, ToolChangesRepository } from './tool-changes.repository.ts';

/** A decision of an administrator. */
type Decision = 'accepted' | 'rejected';

/** Shows administrators the changes of pinned tools, and takes their decisions. */
@Injectable()
export class ToolChanges {
  private readonly write: AuditedWrite;

  constructor(
    private readonly repository: ToolChangesRepository,
    private readonly dataPlane: DataPlane,
    private readonly cursors: CursorCodec,
    dataSource: DataSource,
    audit: AuditService,
  ) {
    this.write = createAuditedWrite({ dataSource, audit }, { kind: TOOL_CHANGE });
  }

  /** Returns a page of the changes, newest first. */
  async list(caller: Caller, { cursor, before, limit, ...filter }: ToolChangeListQuery): Promise<ToolChangePage> {
    const { rows, ...cursors } = await readKeysetPage(
      this.cursors,
      {
        binding: { list: 'tool-changes', filters: filter, caller },
        read: (step) => this.repository.list(filter, step),
        getSortKey: (row) => [row.first_seen_at, row.id],
      },
      { cursor, before, limit },
    );
    return { items: rows.map((row) => this.present(row)), ...cursors };
  }

  /**
   * Accepts a definition.
   * @throws HttpError not_found without a change of this id
   */
  accept(caller: Caller, id: string): Promise<ToolChange> {
    return this.decide(caller, 'Accept tool change', id, 'accepted');
  }

  /**
   * Rejects a definition.
   * @throws HttpError not_found without a change of this id; conflict for an accepted one
   */
  reject(caller: Caller, id: string): Promise<ToolChange> {
    return this.decide(caller, 'Reject tool change', id, 'rejected');
  }

  private async decide(caller: Caller, operation: string, id: string, decision: Decision): Promise<ToolChange> {
    const change = await this.write(caller, operation, async (manager, recordChange) => {
      const found = await this.require(manager, id);
      if (found.status === decision) return found;
      if (decision === 'rejected' && found.status === 'accepted') throw createAcceptedError(found);
      await this.repository.decide(manager, found, decision, caller);
      await recordChange(id, ['status']);
      return this.require(manager, id);
    });
    // The others are notified, and apply it within a second.
    this.dataPlane.handlePinsChange(change.connector_id);
    return this.present(change);
  }

  private async require(manager: EntityManager, id: string): Promise<StoredToolChange> {
    const change = await this.repository.lock(manager, id);
    if (change === undefined) throw new HttpError('not_found', 'there is no such tool change');
    return change;
  }

  private present(change: StoredToolChange): ToolChange {
    const connectors = this.dataPlane.plane.directory.getRules()?.connectors ?? [];
    return toToolChange(change, connectors.find(({ id }) => id === change.connector_id)?.name);
  }
}

const createAcceptedError = ({ tool, decided_at }: StoredToolChange): HttpError =>
  new HttpError(
    'conflict',
    `this definition of ${tool} was accepted at ${decided_at}; to withhold the tool, forbid it by the policy of its connector`,
  );
