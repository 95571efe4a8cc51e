import type { Caller } from '@gatehouse/service-kit/access';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { CursorCodec } from '@gatehouse/service-kit/cursor';
import type { Readable } from 'node:stream';
import { readKeysetPage, type KeysetStep } from '@gatehouse/database/keyset';
import { formatNdjsonLine, readWholeList } from '../../database/ndjson.ts';
import { readNewestFirst } from '../../database/newest-first.ts';
import { createTextStream } from '../../database/text-stream.ts';
import { requireOrder } from './time-range.ts';

/** The filter of a list; `from` is inclusive, `to` exclusive, both RFC 3339 in UTC. */
type TimeFilter = { readonly from?: string | undefined; readonly to?: string | undefined };

/** The parts of a list by time. */
interface TimeListParts<Row, Filter, Shown> {
  cursors: CursorCodec;
  clock: Clock;
  read: (filter: Filter, step: KeysetStep) => Promise<Row[]>;
  /** Converts a row to its response. */
  toResponse: (row: Row) => Shown;
}

/** A list of rows with a time and an id, newest first, as pages or as a stream. */
export class TimeList<Row extends { event_time: string; id: string }, Filter extends TimeFilter, Shown extends object> {
  constructor(private readonly parts: TimeListParts<Row, Filter, Shown>) {}

  /**
   * Reads a page.
   * @param list the name of the list, to which its cursors are bound
   * @throws HttpError invalid for a cursor of another list and unless `from` is before `to`
   */
  async getPage(
    caller: Caller,
    list: string,
    filter: Filter,
    query: { cursor?: string | undefined; limit: number },
  ): Promise<{ items: Shown[]; next_cursor?: string }> {
    requireOrder(filter);
    const { rows, next_cursor: next } = await readKeysetPage<Row>(
      this.parts.cursors,
      { binding: { list, filters: { ...filter }, caller }, getSortKey, read: this.createReader(filter) },
      query,
    );
    return { items: rows.map(this.parts.toResponse), ...(next !== undefined && { next_cursor: next }) };
  }

  /** Streams all rows as NDJSON. @throws HttpError invalid unless `from` is before `to` */
  async stream(filter: Filter): Promise<Readable> {
    requireOrder(filter);
    const rows = readWholeList({ getSortKey, read: this.createReader(filter) });
    return createTextStream('', rows, (row) => formatNdjsonLine(this.parts.toResponse(row)));
  }

  private createReader(filter: Filter): (step: KeysetStep) => Promise<Row[]> {
    const now = this.parts.clock.now();
    return (step) => readNewestFirst(filter, step, now, this.parts.read);
  }
}

const getSortKey = ({ event_time, id }: { event_time: string; id: string }) => [event_time, id];
