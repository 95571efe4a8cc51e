import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** The end of a gateway's newest chain; hashes in hexadecimal. */
export interface ChainHead {
  /** Arrival of the last record. Its month is the month of the chain. */
  arrived_at: string;
  sequence: number;
  chain_hash: string;
  /** Time of the last checkpoint of this chain; its position and key follow. */
  signed_at: string | null;
  signed_sequence: number;
  signed_by: string | null;
}

/** A stored checkpoint. */
export interface StoredCheckpoint {
  arrived_at: string;
  sequence: number;
  chain_hash: string;
  key_id: string;
  signed_at: string;
  signature: string;
}

type StoredHead<T extends { sequence: number; chain_hash: string }> = Omit<T, 'sequence' | 'chain_hash'> & {
  sequence: string;
  chain_hash: Buffer;
};

const LOCK = statement<StoredHead<ChainHead>>(`
  SELECT arrived_at, sequence, chain_hash, signed_at, signed_sequence, signed_by FROM tool_call_heads WHERE gateway_id = $1 FOR UPDATE`);
const INSERT = statement(`
  INSERT INTO tool_call_heads (gateway_id, arrived_at, sequence, chain_hash, signed_sequence) VALUES ($1, $2, 0, '', 0) ON CONFLICT DO NOTHING`);
const UPDATE = statement(`
  UPDATE tool_call_heads SET arrived_at = $2, sequence = $3, chain_hash = $4, signed_at = $5, signed_sequence = $6, signed_by = $7 WHERE gateway_id = $1`);
const INSERT_CHECKPOINT = statement(`
  INSERT INTO tool_call_checkpoints (gateway_id, arrived_at, sequence, chain_hash, key_id, signed_at, signature) VALUES ($1, $2, $3, $4, $5, $6, $7)`);
const LIST_CHECKPOINTS = statement<StoredHead<StoredCheckpoint>>(`
  SELECT arrived_at, sequence, chain_hash, key_id, signed_at, signature FROM tool_call_checkpoints
  WHERE gateway_id = $1 AND (arrived_at, sequence) >= ($2::timestamptz, $3::bigint) AND (arrived_at, sequence) <= ($4::timestamptz, $5::bigint)
  ORDER BY arrived_at, sequence`);

const LAST_UNTIL = statement<ChainPosition & { record_hash: string }>(`
  SELECT arrived_at, sequence::float8 AS sequence, encode(record_hash, 'hex') AS record_hash FROM tool_calls
  WHERE gateway_id = $1 AND arrived_at <= $2::timestamptz AND (arrived_at, sequence) <= ($2::timestamptz, $3::bigint)
  ORDER BY arrived_at DESC, sequence DESC LIMIT 1`);

/** The ends of chains and their checkpoints in the database. */
@Injectable()
export class ChainHeadsRepository {
  /**
   * Locks the end of a gateway's newest chain until the transaction ends.
   * @param now start of the chain for a gateway without one
   */
  async lock(manager: EntityManager, gatewayId: string, now: string): Promise<ChainHead> {
    const row = await LOCK.row(manager, [gatewayId]);
    if (row) return toDomain(row);
    await INSERT.rows(manager, [gatewayId, now]);
    const inserted = await LOCK.row(manager, [gatewayId]);
    if (!inserted) throw new Error(`the chain of gateway ${gatewayId} was inserted and cannot be read`);
    return toDomain(inserted);
  }

  /** Updates the end of a locked chain. */
  async update(manager: EntityManager, gatewayId: string, head: ChainHead): Promise<void> {
    await UPDATE.rows(manager, [
      gatewayId,
      head.arrived_at,
      head.sequence,
      `\\x${head.chain_hash}`,
      head.signed_at,
      head.signed_sequence,
      head.signed_by,
    ]);
  }

  /** Stores a checkpoint. */
  async insertCheckpoint(manager: EntityManager, gatewayId: string, checkpoint: StoredCheckpoint): Promise<void> {
    const { arrived_at, sequence, chain_hash, key_id, signed_at, signature } = checkpoint;
    await INSERT_CHECKPOINT.rows(manager, [
      gatewayId,
      arrived_at,
      sequence,
      `\\x${chain_hash}`,
      key_id,
      signed_at,
      signature,
    ]);
  }

  /** Finds the last stored record of a gateway, up to and including a position. */
  findLastUntil(manager: EntityManager, gatewayId: string, { arrived_at, sequence }: ChainPosition) {
    return LAST_UNTIL.row(manager, [gatewayId, arrived_at, sequence]);
  }

  /** Lists the checkpoints between two positions, both inclusive. */
  async listCheckpoints(
    manager: EntityManager,
    gatewayId: string,
    [first, last]: readonly [first: ChainPosition, last: ChainPosition],
  ): Promise<StoredCheckpoint[]> {
    const rows = await LIST_CHECKPOINTS.rows(manager, [
      gatewayId,
      first.arrived_at,
      first.sequence,
      last.arrived_at,
      last.sequence,
    ]);
    return rows.map(toDomain);
  }
}

/** The position of a record among the records of its gateway. */
export interface ChainPosition {
  arrived_at: string;
  sequence: number;
}

const toDomain = <Row extends { sequence: string; chain_hash: Buffer; signed_sequence?: unknown }>(row: Row) => ({
  ...row,
  sequence: Number(row.sequence),
  ...(row.signed_sequence !== undefined && { signed_sequence: Number(row.signed_sequence) }),
  chain_hash: row.chain_hash.toString('hex'),
});
