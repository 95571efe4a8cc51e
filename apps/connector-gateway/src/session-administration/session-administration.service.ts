import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';
import { readKeysetPage } from '@gatehouse/database/keyset';
import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DataPlane } from '../data-plane/data-plane.ts';
import { AdministeredSessionsRepository } from './administered-sessions.repository.ts';
import { type McpSessionPage, type SessionListQuery, toMcpSession } from './session-administration.dto.ts';

/** Shows administrators the open sessions of all users, and ends them. */
@Injectable()
export class SessionAdministration {
  private readonly write: AuditedWrite;

  constructor(
    private readonly repository: AdministeredSessionsRepository,
    private readonly dataPlane: DataPlane,
    private readonly cursors: CursorCodec,
    dataSource: DataSource,
    audit: AuditService,
  ) {
    this.write = createAuditedWrite({ dataSource, audit }, { kind: 'mcp_session' });
  }

  /** Returns a page of the open sessions, newest first. */
  async list(caller: Caller, { cursor, before, limit, ...filter }: SessionListQuery): Promise<McpSessionPage> {
    const { rows, ...cursors } = await readKeysetPage(
      this.cursors,
      {
        binding: { list: 'mcp-sessions', filters: filter, caller },
        read: (step) => this.repository.list(filter, step),
        getSortKey: (row) => [row.created_at, row.public_id],
      },
      { cursor, before, limit },
    );
    return {
      items: rows.map((row) => toMcpSession(row, this.dataPlane.countOpenRequests(row.secret))),
      ...cursors,
    };
  }

  /**
   * Ends a session. This replica forgets it at once, and the others at a notification, or within
   * 0.5 s.
   * @throws HttpError not_found without an open session of this id
   */
  async end(caller: Caller, id: string): Promise<void> {
    const secret = await this.write(caller, 'End session', async (manager, recordChange) => {
      const ended = await this.repository.end(manager, id);
      if (ended === undefined) throw new HttpError('not_found', 'there is no such session');
      await recordChange(id, []);
      return ended;
    });
    this.dataPlane.releaseSession(secret);
  }
}
